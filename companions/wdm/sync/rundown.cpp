// SPDX-License-Identifier: MIT
// Rundown protection: the word counts users in twos. Its lowest bit is set while the object is taken down, and then no user
// enters; the thread that takes it down sleeps on the lower half of the word.
#include "kernel/rundown.h"

#include <atomic>
#include <bit>
#include <string>

#include "wdm/checking/checking.h"
#include "windows/sync/futex.h"

using namespace opennd::wdm;

namespace {

constexpr ULONG_PTR kDown = 1;
constexpr ULONG_PTR kUser = 2;

using Word = std::atomic_ref<ULONG_PTR>;

// For the kernel alone, which sleeps on 32 bits: no access of this program goes through it.
const DWORD& sleepers_half(const EX_RUNDOWN_REF& reference) {
    static_assert(std::endian::native == std::endian::little);
    return reinterpret_cast<const DWORD&>(reference);
}

constexpr const char* kKind = "rundown protection";

}  // namespace

VOID ExInitializeRundownProtection(PEX_RUNDOWN_REF RunRef) { RunRef->Count = 0; }

VOID ExReInitializeRundownProtection(PEX_RUNDOWN_REF RunRef) {
    if (Word(RunRef->Count).exchange(0, std::memory_order_acq_rel) != kDown)
        report(OPENND_WDM_RULE_IN_USE, {kKind, RunRef}, "is initialised again without having been run down");
}

BOOLEAN ExAcquireRundownProtection(PEX_RUNDOWN_REF RunRef) { return ExAcquireRundownProtectionEx(RunRef, 1); }

BOOLEAN ExAcquireRundownProtectionEx(PEX_RUNDOWN_REF RunRef, ULONG Count) {
    const Word word(RunRef->Count);
    ULONG_PTR before = word.load(std::memory_order_relaxed);
    do {
        if ((before & kDown) != 0) return FALSE;
    } while (!word.compare_exchange_weak(before, before + Count * kUser, std::memory_order_acquire));
    return TRUE;
}

VOID ExReleaseRundownProtection(PEX_RUNDOWN_REF RunRef) { ExReleaseRundownProtectionEx(RunRef, 1); }

VOID ExReleaseRundownProtectionEx(PEX_RUNDOWN_REF RunRef, ULONG Count) {
    const Word word(RunRef->Count);
    ULONG_PTR before = word.load(std::memory_order_relaxed);
    do {
        if (before / kUser < Count) {
            report(OPENND_WDM_RULE_REFERENCE_COUNT, {kKind, RunRef},
                   "is released for " + std::to_string(Count) + " users and has " + std::to_string(before / kUser));
            return;
        }
    } while (!word.compare_exchange_weak(before, before - Count * kUser, std::memory_order_release));
    // The last user of an object that is taken down; only the address is used from here on.
    if (before - Count * kUser == kDown) opennd::windows::futex_wake_all(sleepers_half(*RunRef));
}

VOID ExWaitForRundownProtectionRelease(PEX_RUNDOWN_REF RunRef) {
    (void)expect_irql_at_most(APC_LEVEL, "ExWaitForRundownProtectionRelease", {kKind, RunRef});
    const Word word(RunRef->Count);
    ULONG_PTR now = word.fetch_or(kDown, std::memory_order_acq_rel) | kDown;
    for (; now != kDown; now = word.load(std::memory_order_acquire))
        opennd::windows::futex_wait(sleepers_half(*RunRef), static_cast<DWORD>(now),
                                    opennd::windows::Deadline(INFINITE));
}

VOID ExRundownCompleted(PEX_RUNDOWN_REF RunRef) { Word(RunRef->Count).store(kDown, std::memory_order_release); }

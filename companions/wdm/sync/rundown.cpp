// SPDX-License-Identifier: MIT
// Rundown protection: the lower half of the word counts users in twos. Its lowest bit is set while the object is taken
// down, and then no user enters; the thread that takes it down sleeps on the word.
#include "kernel/rundown.h"

#include <string>

#include "wdm/checking/checking.h"
#include "windows/sync/futex.h"

using namespace opennd::wdm;
using opennd::windows::atomic;

namespace {

constexpr DWORD kDown = 1;
constexpr DWORD kUser = 2;

DWORD& word_of(EX_RUNDOWN_REF& reference) { return *reinterpret_cast<DWORD*>(&reference.Count); }

constexpr const char* kKind = "rundown protection";

}  // namespace

VOID ExInitializeRundownProtection(PEX_RUNDOWN_REF RunRef) { RunRef->Count = 0; }

VOID ExReInitializeRundownProtection(PEX_RUNDOWN_REF RunRef) {
    if (atomic(word_of(*RunRef)).exchange(0, std::memory_order_acq_rel) != kDown)
        report(OPENND_WDM_RULE_IN_USE, {kKind, RunRef}, "is initialised again without having been run down");
}

BOOLEAN ExAcquireRundownProtection(PEX_RUNDOWN_REF RunRef) { return ExAcquireRundownProtectionEx(RunRef, 1); }

BOOLEAN ExAcquireRundownProtectionEx(PEX_RUNDOWN_REF RunRef, ULONG Count) {
    auto word = atomic(word_of(*RunRef));
    DWORD before = word.load(std::memory_order_relaxed);
    do {
        if ((before & kDown) != 0) return FALSE;
    } while (!word.compare_exchange_weak(before, before + Count * kUser, std::memory_order_acquire));
    return TRUE;
}

VOID ExReleaseRundownProtection(PEX_RUNDOWN_REF RunRef) { ExReleaseRundownProtectionEx(RunRef, 1); }

VOID ExReleaseRundownProtectionEx(PEX_RUNDOWN_REF RunRef, ULONG Count) {
    DWORD& word = word_of(*RunRef);
    DWORD before = atomic(word).load(std::memory_order_relaxed);
    do {
        if (before / kUser < Count) {
            report(OPENND_WDM_RULE_REFERENCE_COUNT, {kKind, RunRef},
                   "is released for " + std::to_string(Count) + " users and has " + std::to_string(before / kUser));
            return;
        }
    } while (!atomic(word).compare_exchange_weak(before, before - Count * kUser, std::memory_order_release));
    // The last user of an object that is taken down; only the address is used from here on.
    if (before - Count * kUser == kDown) opennd::windows::futex_wake_all(word);
}

VOID ExWaitForRundownProtectionRelease(PEX_RUNDOWN_REF RunRef) {
    (void)expect_irql_at_most(APC_LEVEL, "ExWaitForRundownProtectionRelease", {kKind, RunRef});
    DWORD& word = word_of(*RunRef);
    DWORD now = atomic(word).fetch_or(kDown, std::memory_order_acq_rel) | kDown;
    for (; now != kDown; now = atomic(word).load(std::memory_order_acquire))
        opennd::windows::futex_wait(word, now, opennd::windows::Deadline(INFINITE));
}

VOID ExRundownCompleted(PEX_RUNDOWN_REF RunRef) { atomic(word_of(*RunRef)).store(kDown, std::memory_order_release); }

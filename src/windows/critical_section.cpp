// SPDX-License-Identifier: MIT
// Critical sections: a recursive lock of three states. A holder that leaves wakes somebody only from `contended`, and who
// has slept takes the lock as contended, for there may be more behind it.
#include "win32/locks.h"
#include "win32/threads.h"
#include "windows/futex.h"

using namespace opennd::windows;

namespace {

constexpr DWORD kFree = 0;
constexpr DWORD kHeld = 1;
constexpr DWORD kContended = 2;

bool try_take(CRITICAL_SECTION& section) {
    DWORD free = kFree;
    return atomic(section.opennd_state)
        .compare_exchange_strong(free, kHeld, std::memory_order_acquire, std::memory_order_relaxed);
}

// Only the owner itself can find its own number here.
bool is_mine(CRITICAL_SECTION& section) {
    return atomic(section.opennd_owner).load(std::memory_order_relaxed) == GetCurrentThreadId();
}

void take(CRITICAL_SECTION& section) {
    if (try_take(section)) return;
    for (DWORD spins = 0; spins < section.opennd_spins; ++spins) {
        YieldProcessor();
        if (atomic(section.opennd_state).load(std::memory_order_relaxed) == kFree && try_take(section)) return;
    }
    while (atomic(section.opennd_state).exchange(kContended, std::memory_order_acquire) != kFree)
        futex_wait(section.opennd_state, kContended, Deadline(INFINITE));
}

void own(CRITICAL_SECTION& section) {
    atomic(section.opennd_owner).store(GetCurrentThreadId(), std::memory_order_relaxed);
    section.opennd_depth = 1;
}

}  // namespace

VOID InitializeCriticalSection(LPCRITICAL_SECTION lpCriticalSection) { *lpCriticalSection = {}; }

BOOL InitializeCriticalSectionAndSpinCount(LPCRITICAL_SECTION lpCriticalSection, DWORD dwSpinCount) {
    *lpCriticalSection = {};
    lpCriticalSection->opennd_spins = dwSpinCount & 0x00FFFFFF;  // the highest byte holds flags on Windows
    return TRUE;
}

BOOL InitializeCriticalSectionEx(LPCRITICAL_SECTION lpCriticalSection, DWORD dwSpinCount, DWORD) {
    return InitializeCriticalSectionAndSpinCount(lpCriticalSection, dwSpinCount);
}

VOID EnterCriticalSection(LPCRITICAL_SECTION lpCriticalSection) {
    if (is_mine(*lpCriticalSection)) {
        ++lpCriticalSection->opennd_depth;
        return;
    }
    take(*lpCriticalSection);
    own(*lpCriticalSection);
}

BOOL TryEnterCriticalSection(LPCRITICAL_SECTION lpCriticalSection) {
    if (is_mine(*lpCriticalSection)) {
        ++lpCriticalSection->opennd_depth;
        return TRUE;
    }
    if (!try_take(*lpCriticalSection)) return FALSE;
    own(*lpCriticalSection);
    return TRUE;
}

VOID LeaveCriticalSection(LPCRITICAL_SECTION lpCriticalSection) {
    if (--lpCriticalSection->opennd_depth != 0) return;
    atomic(lpCriticalSection->opennd_owner).store(0, std::memory_order_relaxed);
    // From the exchange on another thread may enter, leave and free the section: only its address is used after.
    if (atomic(lpCriticalSection->opennd_state).exchange(kFree, std::memory_order_release) == kContended)
        futex_wake_one(lpCriticalSection->opennd_state);
}

VOID DeleteCriticalSection(LPCRITICAL_SECTION lpCriticalSection) { *lpCriticalSection = {}; }

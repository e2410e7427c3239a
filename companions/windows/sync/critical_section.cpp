// SPDX-License-Identifier: MIT
// Critical sections: a recursive lock over one of three states; see futex_lock.h.
#include "win32/locks.h"
#include "win32/threads.h"
#include "windows/sync/futex_lock.h"

using namespace opennd::windows;

namespace {

// Only the owner itself can find its own number here.
bool is_mine(CRITICAL_SECTION& section) {
    return atomic(section.opennd_owner).load(std::memory_order_relaxed) == GetCurrentThreadId();
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
    take(lpCriticalSection->opennd_state, lpCriticalSection->opennd_spins);
    own(*lpCriticalSection);
}

BOOL TryEnterCriticalSection(LPCRITICAL_SECTION lpCriticalSection) {
    if (is_mine(*lpCriticalSection)) {
        ++lpCriticalSection->opennd_depth;
        return TRUE;
    }
    if (!try_take(lpCriticalSection->opennd_state)) return FALSE;
    own(*lpCriticalSection);
    return TRUE;
}

VOID LeaveCriticalSection(LPCRITICAL_SECTION lpCriticalSection) {
    if (--lpCriticalSection->opennd_depth != 0) return;
    atomic(lpCriticalSection->opennd_owner).store(0, std::memory_order_relaxed);
    leave(lpCriticalSection->opennd_state);
}

VOID DeleteCriticalSection(LPCRITICAL_SECTION lpCriticalSection) { *lpCriticalSection = {}; }

// SPDX-License-Identifier: MIT
// Condition variables: a count of wakes. A thread that read the count before a wake does not fall asleep after it.
#include "win32/locks.h"
#include "windows/last_error.h"
#include "windows/sync/futex.h"

using namespace opennd::windows;

namespace {

template <typename Leave, typename Enter>
BOOL sleep(CONDITION_VARIABLE& condition, DWORD milliseconds, Leave leave, Enter enter) {
    const Deadline deadline(milliseconds);
    const DWORD changes = atomic(condition.opennd_changes).load();
    leave();
    const bool in_time = futex_wait(condition.opennd_changes, changes, deadline);
    enter();
    return in_time ? TRUE : fail(ERROR_TIMEOUT, FALSE);
}

}  // namespace

VOID InitializeConditionVariable(PCONDITION_VARIABLE ConditionVariable) { *ConditionVariable = {}; }

BOOL SleepConditionVariableCS(PCONDITION_VARIABLE ConditionVariable, PCRITICAL_SECTION CriticalSection,
                              DWORD dwMilliseconds) {
    return sleep(
        *ConditionVariable, dwMilliseconds, [&] { LeaveCriticalSection(CriticalSection); },
        [&] { EnterCriticalSection(CriticalSection); });
}

BOOL SleepConditionVariableSRW(PCONDITION_VARIABLE ConditionVariable, PSRWLOCK SRWLock, DWORD dwMilliseconds,
                               ULONG Flags) {
    if ((Flags & CONDITION_VARIABLE_LOCKMODE_SHARED) != 0)
        return sleep(
            *ConditionVariable, dwMilliseconds, [&] { ReleaseSRWLockShared(SRWLock); },
            [&] { AcquireSRWLockShared(SRWLock); });
    return sleep(
        *ConditionVariable, dwMilliseconds, [&] { ReleaseSRWLockExclusive(SRWLock); },
        [&] { AcquireSRWLockExclusive(SRWLock); });
}

VOID WakeConditionVariable(PCONDITION_VARIABLE ConditionVariable) {
    atomic(ConditionVariable->opennd_changes).fetch_add(1);
    futex_wake_one(ConditionVariable->opennd_changes);
}

VOID WakeAllConditionVariable(PCONDITION_VARIABLE ConditionVariable) {
    atomic(ConditionVariable->opennd_changes).fetch_add(1);
    futex_wake_all(ConditionVariable->opennd_changes);
}

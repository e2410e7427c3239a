/* SPDX-License-Identifier: MIT
 *
 * locks.h: critical sections, reader-writer locks, condition variables. None needs to be destroyed to free anything;
 * all may be moved as long as nobody uses them.
 */
#ifndef OPENND_WINDOWS_LOCKS_H
#define OPENND_WINDOWS_LOCKS_H

#include "types.h"

/* Recursive. All zero is a valid one that nobody holds. */
typedef struct _RTL_CRITICAL_SECTION {
    DWORD opennd_state; /* 0 free, 1 held, 2 held and somebody waits */
    DWORD opennd_owner; /* thread */
    DWORD opennd_depth;
    DWORD opennd_spins;
} CRITICAL_SECTION, *PCRITICAL_SECTION, *LPCRITICAL_SECTION;

/* Exclusive or shared, not recursive. */
typedef struct _RTL_SRWLOCK {
    DWORD opennd_state;   /* 0 free, 0xFFFFFFFF exclusive, otherwise the number of readers */
    DWORD opennd_waiters; /* threads asleep */
} SRWLOCK, *PSRWLOCK;

typedef struct _RTL_CONDITION_VARIABLE {
    DWORD opennd_changes; /* counts wakes */
    DWORD opennd_reserved;
} CONDITION_VARIABLE, *PCONDITION_VARIABLE;

#define SRWLOCK_INIT \
    { 0, 0 }
#define CONDITION_VARIABLE_INIT \
    { 0, 0 }

#define CONDITION_VARIABLE_LOCKMODE_SHARED 0x1

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* ---- critical sections ------------------------------------------------------------------------------------------- */

VOID WINAPI InitializeCriticalSection(LPCRITICAL_SECTION lpCriticalSection);
/* A waiter spins dwSpinCount times before it sleeps. TRUE. */
BOOL WINAPI InitializeCriticalSectionAndSpinCount(LPCRITICAL_SECTION lpCriticalSection, DWORD dwSpinCount);
/* As above; Flags have no effect. */
BOOL WINAPI InitializeCriticalSectionEx(LPCRITICAL_SECTION lpCriticalSection, DWORD dwSpinCount, DWORD Flags);

VOID WINAPI EnterCriticalSection(LPCRITICAL_SECTION lpCriticalSection);
/* TRUE: entered; FALSE: another thread is inside. Leaves the last error alone. */
BOOL WINAPI TryEnterCriticalSection(LPCRITICAL_SECTION lpCriticalSection);
/* Once for each time it was entered, by the same thread. */
VOID WINAPI LeaveCriticalSection(LPCRITICAL_SECTION lpCriticalSection);

/* Deletes a section; one that is all zero is left alone. */
VOID WINAPI DeleteCriticalSection(LPCRITICAL_SECTION lpCriticalSection);

/* ---- reader-writer locks ----------------------------------------------------------------------------------------- */

VOID WINAPI InitializeSRWLock(PSRWLOCK SRWLock);
VOID WINAPI AcquireSRWLockExclusive(PSRWLOCK SRWLock);
VOID WINAPI AcquireSRWLockShared(PSRWLOCK SRWLock);
VOID WINAPI ReleaseSRWLockExclusive(PSRWLOCK SRWLock);
VOID WINAPI ReleaseSRWLockShared(PSRWLOCK SRWLock);
/* TRUE: acquired; FALSE: it would have had to wait. */
BOOLEAN WINAPI TryAcquireSRWLockExclusive(PSRWLOCK SRWLock);
BOOLEAN WINAPI TryAcquireSRWLockShared(PSRWLOCK SRWLock);

/* ---- condition variables ----------------------------------------------------------------------------------------- */

VOID WINAPI InitializeConditionVariable(PCONDITION_VARIABLE ConditionVariable);

/* Leaves the lock, sleeps until woken, and takes the lock again. May wake without a reason. A critical section must have
 * been entered once. Flags: 0, or CONDITION_VARIABLE_LOCKMODE_SHARED if the lock is held shared.
 * TRUE: woken; FALSE and ERROR_TIMEOUT: not in time. */
BOOL WINAPI SleepConditionVariableCS(PCONDITION_VARIABLE ConditionVariable, PCRITICAL_SECTION CriticalSection,
                                     DWORD dwMilliseconds);
BOOL WINAPI SleepConditionVariableSRW(PCONDITION_VARIABLE ConditionVariable, PSRWLOCK SRWLock, DWORD dwMilliseconds,
                                      ULONG Flags);

VOID WINAPI WakeConditionVariable(PCONDITION_VARIABLE ConditionVariable);
VOID WINAPI WakeAllConditionVariable(PCONDITION_VARIABLE ConditionVariable);

/* ---- waiting for a change of memory ------------------------------------------------------------------------------ */

/* Sleeps while the AddressSize bytes (1, 2, 4 or 8) at Address equal those at CompareAddress, until woken by address. May
 * wake without a reason. TRUE; FALSE. ERROR_TIMEOUT: not in time; ERROR_INVALID_PARAMETER: another size. */
BOOL WINAPI WaitOnAddress(volatile VOID* Address, PVOID CompareAddress, SIZE_T AddressSize, DWORD dwMilliseconds);

/* Wakes one thread, or all, that wait on the address, after the program has changed the value there. */
VOID WINAPI WakeByAddressSingle(PVOID Address);
VOID WINAPI WakeByAddressAll(PVOID Address);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif

/* SPDX-License-Identifier: MIT
 *
 * waitable_timers.h: timers, which are handles: signalled at a time, once or again and again.
 */
#ifndef OPENND_WINDOWS_WAITABLE_TIMERS_H
#define OPENND_WINDOWS_WAITABLE_TIMERS_H

#include "events.h"

/* Called in an alertable wait of the thread that set the timer, with the time at which the timer was signalled, in the
 * two halves of a FILETIME. */
typedef VOID(APIENTRY* PTIMERAPCROUTINE)(LPVOID lpArgToCompletionRoutine, DWORD dwTimerLowValue,
                                         DWORD dwTimerHighValue);

#define CREATE_WAITABLE_TIMER_MANUAL_RESET    0x00000001u
#define CREATE_WAITABLE_TIMER_HIGH_RESOLUTION 0x00000002u

#define TIMER_QUERY_STATE  0x0001u
#define TIMER_MODIFY_STATE 0x0002u
#define TIMER_ALL_ACCESS   0x001F0003u

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Makes a timer that is not set. With bManualReset it stays signalled until it is set anew; otherwise one wait takes
 * its signal. lpTimerName must be NULL: timers are not shared by name. The caller owns the handle and closes it with
 * CloseHandle; the last one ends the timer. NULL: ERROR_NOT_SUPPORTED: a name, and the log says so;
 * ERROR_NO_SYSTEM_RESOURCES: no descriptor or thread is left; ERROR_NOT_ENOUGH_MEMORY. */
HANDLE WINAPI CreateWaitableTimerA(LPSECURITY_ATTRIBUTES lpTimerAttributes, BOOL bManualReset, LPCSTR lpTimerName);
HANDLE WINAPI CreateWaitableTimerW(LPSECURITY_ATTRIBUTES lpTimerAttributes, BOOL bManualReset, LPCWSTR lpTimerName);

/* The same. dwFlags: CREATE_WAITABLE_TIMER_MANUAL_RESET; CREATE_WAITABLE_TIMER_HIGH_RESOLUTION, which every timer has.
 * dwDesiredAccess has no effect. ERROR_INVALID_PARAMETER, too: other flags. */
HANDLE WINAPI CreateWaitableTimerExA(LPSECURITY_ATTRIBUTES lpTimerAttributes, LPCSTR lpTimerName, DWORD dwFlags,
                                     DWORD dwDesiredAccess);
HANDLE WINAPI CreateWaitableTimerExW(LPSECURITY_ATTRIBUTES lpTimerAttributes, LPCWSTR lpTimerName, DWORD dwFlags,
                                     DWORD dwDesiredAccess);

/* Takes the timer's signal away and sets it anew. *lpDueTime is in units of 100 ns: negative, a span from now on;
 * positive, a FILETIME, which follows the host's clock when that is set. A time that has passed signals at once.
 * lPeriod in milliseconds: again and again from then on; 0: once.
 *
 * pfnCompletionRoutine (NULL: none) is queued to the calling thread at each signal (events.h has the waits that make
 * the call), but not while its last call is still queued. When that thread has ended, the timer is not signalled any
 * more. With fResume the call succeeds, and the last error is ERROR_NOT_SUPPORTED: no timer wakes the host. TRUE;
 * FALSE. ERROR_INVALID_HANDLE: not a timer; ERROR_INVALID_PARAMETER: lpDueTime is NULL, or lPeriod negative;
 * ERROR_NOT_ENOUGH_MEMORY. */
BOOL WINAPI SetWaitableTimer(HANDLE hTimer, const LARGE_INTEGER* lpDueTime, LONG lPeriod,
                             PTIMERAPCROUTINE pfnCompletionRoutine, LPVOID lpArgToCompletionRoutine, BOOL fResume);

/* Stops the timer. Its signal stays as it is; a call that is queued is withdrawn. TRUE; FALSE and
 * ERROR_INVALID_HANDLE. */
BOOL WINAPI CancelWaitableTimer(HANDLE hTimer);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#ifdef UNICODE
#define CreateWaitableTimer   CreateWaitableTimerW
#define CreateWaitableTimerEx CreateWaitableTimerExW
#else
#define CreateWaitableTimer   CreateWaitableTimerA
#define CreateWaitableTimerEx CreateWaitableTimerExA
#endif

#endif

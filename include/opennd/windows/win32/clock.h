/* SPDX-License-Identifier: MIT
 *
 * clock.h: time that goes on, time of day, and the time processors have spent.
 */
#ifndef OPENND_WINDOWS_CLOCK_H
#define OPENND_WINDOWS_CLOCK_H

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* A clock that never goes back, and its ticks in a second. TRUE; FALSE and ERROR_NOACCESS: NULL. */
BOOL WINAPI QueryPerformanceCounter(LARGE_INTEGER* lpPerformanceCount);
BOOL WINAPI QueryPerformanceFrequency(LARGE_INTEGER* lpFrequency);

/* Milliseconds since the host started; of 32 bits, round again every 49.7 days. */
DWORD WINAPI GetTickCount(VOID);
ULONGLONG WINAPI GetTickCount64(VOID);

/* The time of day, UTC. */
VOID WINAPI GetSystemTimeAsFileTime(LPFILETIME lpSystemTimeAsFileTime);
VOID WINAPI GetSystemTimePreciseAsFileTime(LPFILETIME lpSystemTimeAsFileTime);
VOID WINAPI GetSystemTime(LPSYSTEMTIME lpSystemTime);
/* The time of day in the zone of this process (TZ, or the host's), summer time included. */
VOID WINAPI GetLocalTime(LPSYSTEMTIME lpSystemTime);

/* The time that all processors together have spent since the host started, in units of 100 ns: idle, in the kernel,
 * which includes idle, and in programs. NULL: not wanted. The pointers may point to a LONGLONG. TRUE; FALSE and
 * ERROR_NOT_SUPPORTED: the system does not tell. */
BOOL WINAPI GetSystemTimes(LPFILETIME lpIdleTime, LPFILETIME lpKernelTime, LPFILETIME lpUserTime);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif

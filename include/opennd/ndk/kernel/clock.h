/* SPDX-License-Identifier: MIT
 *
 * clock.h: the time, in units of 100 ns. Any level.
 */
#ifndef OPENND_KERNEL_CLOCK_H
#define OPENND_KERNEL_CLOCK_H

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Since the beginning of 1601 UTC. */
VOID NTAPI KeQuerySystemTime(PLARGE_INTEGER CurrentTime);
VOID NTAPI KeQuerySystemTimePrecise(PLARGE_INTEGER CurrentTime);

/* Since the host started. */
ULONGLONG NTAPI KeQueryInterruptTime(VOID);

/* Ticks of a clock that is never set; *PerformanceFrequency, if not NULL, is how many make a second. */
LARGE_INTEGER NTAPI KeQueryPerformanceCounter(PLARGE_INTEGER PerformanceFrequency);

/* Busy-waits for MicroSeconds, without sleeping. */
VOID NTAPI KeStallExecutionProcessor(ULONG MicroSeconds);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif

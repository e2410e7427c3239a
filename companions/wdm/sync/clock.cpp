// SPDX-License-Identifier: MIT
// Clocks: those of Win32 under the kernel's names.
#include "kernel/clock.h"

#include <time.h>

#include "win32/clock.h"
#include "win32/threads.h"

VOID KeQuerySystemTime(PLARGE_INTEGER CurrentTime) {
    FILETIME now;
    GetSystemTimeAsFileTime(&now);
    CurrentTime->LowPart = now.dwLowDateTime;
    CurrentTime->HighPart = static_cast<LONG>(now.dwHighDateTime);
}

VOID KeQuerySystemTimePrecise(PLARGE_INTEGER CurrentTime) { KeQuerySystemTime(CurrentTime); }

ULONGLONG KeQueryInterruptTime(VOID) {
    timespec since{};
    clock_gettime(CLOCK_BOOTTIME, &since);
    return static_cast<ULONGLONG>(since.tv_sec) * 10'000'000 + static_cast<ULONGLONG>(since.tv_nsec) / 100;
}

LARGE_INTEGER KeQueryPerformanceCounter(PLARGE_INTEGER PerformanceFrequency) {
    if (PerformanceFrequency != nullptr) QueryPerformanceFrequency(PerformanceFrequency);
    LARGE_INTEGER now;
    QueryPerformanceCounter(&now);
    return now;
}

VOID KeStallExecutionProcessor(ULONG MicroSeconds) {
    LARGE_INTEGER frequency;
    const LONGLONG start = KeQueryPerformanceCounter(&frequency).QuadPart;
    const LONGLONG ticks = frequency.QuadPart / 1'000'000 * MicroSeconds;
    while (KeQueryPerformanceCounter(nullptr).QuadPart - start < ticks) YieldProcessor();
}

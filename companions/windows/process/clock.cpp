// SPDX-License-Identifier: MIT
// Clocks. The performance counter ticks as on Windows, ten million times a second, so that programs which multiply it
// before they divide do not overflow sooner.
#include "win32/clock.h"
#include "sys/timeb.h"

#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <string>

#include "windows/last_error.h"

using namespace opennd::windows;

namespace {

constexpr LONGLONG kTicksPerSecond = 10'000'000;      // 100 ns
constexpr LONGLONG kFrom1601To1970 = 11'644'473'600;  // seconds

LONGLONG ticks(clockid_t clock) {
    timespec time{};
    clock_gettime(clock, &time);
    return time.tv_sec * kTicksPerSecond + time.tv_nsec / 100;
}

// Now, in the zone of `broken_down`: gmtime_r or localtime_r.
SYSTEMTIME time_of_day(tm* (*broken_down)(const time_t*, tm*)) {
    timespec now{};
    clock_gettime(CLOCK_REALTIME, &now);
    tm date{};
    broken_down(&now.tv_sec, &date);
    return {static_cast<WORD>(date.tm_year + 1900), static_cast<WORD>(date.tm_mon + 1),
            static_cast<WORD>(date.tm_wday),        static_cast<WORD>(date.tm_mday),
            static_cast<WORD>(date.tm_hour),        static_cast<WORD>(date.tm_min),
            static_cast<WORD>(date.tm_sec),         static_cast<WORD>(now.tv_nsec / 1'000'000)};
}

// By bytes: programs pass pointers to a LONGLONG too.
void store(FILETIME* time, ULONGLONG value) {
    if (time != nullptr) std::memcpy(time, &value, sizeof value);
}

}  // namespace

BOOL QueryPerformanceCounter(LARGE_INTEGER* lpPerformanceCount) {
    if (lpPerformanceCount == nullptr) return fail(ERROR_NOACCESS, FALSE);
    lpPerformanceCount->QuadPart = ticks(CLOCK_MONOTONIC);
    return TRUE;
}

BOOL QueryPerformanceFrequency(LARGE_INTEGER* lpFrequency) {
    if (lpFrequency == nullptr) return fail(ERROR_NOACCESS, FALSE);
    lpFrequency->QuadPart = kTicksPerSecond;
    return TRUE;
}

DWORD GetTickCount(VOID) { return static_cast<DWORD>(GetTickCount64()); }

ULONGLONG GetTickCount64(VOID) { return static_cast<ULONGLONG>(ticks(CLOCK_BOOTTIME)) / 10'000; }

VOID GetSystemTimeAsFileTime(LPFILETIME lpSystemTimeAsFileTime) {
    const LONGLONG now = ticks(CLOCK_REALTIME) + kFrom1601To1970 * kTicksPerSecond;
    store(lpSystemTimeAsFileTime, static_cast<ULONGLONG>(now));
}

VOID GetSystemTimePreciseAsFileTime(LPFILETIME lpSystemTimeAsFileTime) {
    GetSystemTimeAsFileTime(lpSystemTimeAsFileTime);
}

VOID GetSystemTime(LPSYSTEMTIME lpSystemTime) { *lpSystemTime = time_of_day(gmtime_r); }

VOID GetLocalTime(LPSYSTEMTIME lpSystemTime) {
    tzset();  // which localtime_r need not call
    *lpSystemTime = time_of_day(localtime_r);
}

BOOL GetSystemTimes(LPFILETIME lpIdleTime, LPFILETIME lpKernelTime, LPFILETIME lpUserTime) {
    std::ifstream statistics("/proc/stat");
    std::string name;
    ULONGLONG user = 0, nice = 0, system = 0, idle = 0, waiting = 0, interrupts = 0, soft_interrupts = 0;
    statistics >> name >> user >> nice >> system >> idle >> waiting >> interrupts >> soft_interrupts;
    if (!statistics) return fail(ERROR_NOT_SUPPORTED, FALSE);
    const ULONGLONG unit = static_cast<ULONGLONG>(kTicksPerSecond / sysconf(_SC_CLK_TCK));
    const ULONGLONG all_idle = idle + waiting;
    store(lpIdleTime, all_idle * unit);
    store(lpKernelTime, (system + interrupts + soft_interrupts + all_idle) * unit);
    store(lpUserTime, (user + nice) * unit);
    return TRUE;
}

void _ftime(struct _timeb* now) { _ftime_s(now); }

errno_t _ftime_s(struct _timeb* now) {
    if (now == nullptr) return EINVAL;
    timespec time{};
    clock_gettime(CLOCK_REALTIME, &time);
    tm local{};
    tzset();
    localtime_r(&time.tv_sec, &local);
    now->time = time.tv_sec;
    now->millitm = static_cast<unsigned short>(time.tv_nsec / 1'000'000);
    now->timezone = static_cast<short>(::timezone / 60);
    now->dstflag = local.tm_isdst > 0;
    return 0;
}

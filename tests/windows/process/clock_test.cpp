// SPDX-License-Identifier: MIT
// Clocks.
#include <gtest/gtest.h>
#include <sys/timeb.h>
#include <windows.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <ctime>

namespace opennd {
namespace {

TEST(Clock, TheCounterGoesOnAtItsFrequency) {
    LARGE_INTEGER frequency{}, before{}, after{};
    ASSERT_TRUE(QueryPerformanceFrequency(&frequency));
    ASSERT_TRUE(QueryPerformanceCounter(&before));
    Sleep(20);
    ASSERT_TRUE(QueryPerformanceCounter(&after));
    EXPECT_GE((after.QuadPart - before.QuadPart) * 1000 / frequency.QuadPart, 20);
    EXPECT_FALSE(QueryPerformanceCounter(nullptr));
    EXPECT_FALSE(QueryPerformanceFrequency(nullptr));
    EXPECT_EQ(GetLastError(), DWORD{ERROR_NOACCESS});
    const DWORD ticks = GetTickCount();
    EXPECT_LT(static_cast<DWORD>(GetTickCount64()) - ticks, 10'000u);
}

TEST(Clock, TheTimeOfDayIsTheSystems) {
    FILETIME times[2] = {};
    GetSystemTimeAsFileTime(&times[0]);
    GetSystemTimePreciseAsFileTime(&times[1]);
    for (const FILETIME& time : times) {
        const ULARGE_INTEGER ticks{{time.dwLowDateTime, time.dwHighDateTime}};
        EXPECT_NEAR(static_cast<double>(ticks.QuadPart / 10'000'000 - 11'644'473'600u),
                    static_cast<double>(std::time(nullptr)), 10);
    }
    SYSTEMTIME date{};
    GetSystemTime(&date);
    EXPECT_GE(date.wYear, 2024);
    EXPECT_GE(date.wMonth, 1);
    EXPECT_LE(date.wMonth, 12);
}

TEST(Clock, TheLocalTimeIsThatOfTheZone) {
    ASSERT_EQ(setenv("TZ", "XST-5:30", 1), 0);
    SYSTEMTIME local{}, utc{};
    for (int tries = 0; tries == 0 || (tries < 100 && local.wSecond != utc.wSecond); ++tries) {
        GetSystemTime(&utc);
        GetLocalTime(&local);
    }
    EXPECT_EQ((local.wHour * 60 + local.wMinute - utc.wHour * 60 - utc.wMinute + 24 * 60) % (24 * 60), 330);
    ASSERT_EQ(setenv("TZ", "XST+2", 1), 0);
    GetLocalTime(&local);
    EXPECT_NE((local.wHour * 60 + local.wMinute - utc.wHour * 60 - utc.wMinute + 24 * 60) % (24 * 60), 330)
        << "a zone that changes counts at once";
    unsetenv("TZ");
}

TEST(Clock, TheKernelsTimeIncludesIdleTime) {
    LONGLONG idle = 0, kernel = 0, user = 0;
    ASSERT_TRUE(GetSystemTimes(reinterpret_cast<FILETIME*>(&idle), reinterpret_cast<FILETIME*>(&kernel),
                               reinterpret_cast<FILETIME*>(&user)));
    EXPECT_GT(user, 0);
    EXPECT_GE(kernel, idle);
    EXPECT_TRUE(GetSystemTimes(nullptr, nullptr, nullptr));
}

TEST(TimeOfDay, HasMillisecondsAndTheTimeZone) {
    ASSERT_EQ(setenv("TZ", "XST-5:30", 1), 0);
    const auto before =
        std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch());
    struct _timeb now;
    EXPECT_EQ(_ftime_s(&now), 0);
    EXPECT_GE(now.time * 1000 + now.millitm, before.count());
    EXPECT_LT(now.millitm, 1000);
    EXPECT_EQ(now.timezone, -330) << "UTC less local time, in minutes";
    EXPECT_EQ(now.dstflag, 0);
    EXPECT_EQ(_ftime_s(nullptr), EINVAL);
    unsetenv("TZ");
    tzset();
}

}  // namespace
}  // namespace opennd

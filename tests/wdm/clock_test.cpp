// SPDX-License-Identifier: MIT
// Clocks.
#include <ctime>

#include "support/requirement.h"
#include "wdm/violations.h"

namespace opennd {
namespace {

TEST(Clock, SystemTimeCountsFrom1601) {
    support::proves("NDK-HOST-40");
    LARGE_INTEGER now;
    KeQuerySystemTime(&now);
    const std::time_t seconds = std::time(nullptr);
    EXPECT_NEAR(static_cast<double>(now.QuadPart / 10'000'000 - 11'644'473'600), static_cast<double>(seconds), 2);
    LARGE_INTEGER later;
    KeQuerySystemTimePrecise(&later);
    EXPECT_GE(later.QuadPart, now.QuadPart);
}

TEST(Clock, PerformanceCounterGoesOnAtItsFrequency) {
    LARGE_INTEGER frequency;
    const LONGLONG start = KeQueryPerformanceCounter(&frequency).QuadPart;
    KeStallExecutionProcessor(2'000);
    const LONGLONG ticks = KeQueryPerformanceCounter(nullptr).QuadPart - start;
    EXPECT_GE(ticks, frequency.QuadPart / 500);
}

TEST(Clock, InterruptTimeNeverGoesBack) {
    const ULONGLONG before = KeQueryInterruptTime();
    EXPECT_GT(before, 0u);
    EXPECT_GE(KeQueryInterruptTime(), before);
}

}  // namespace
}  // namespace opennd

// SPDX-License-Identifier: MIT
// How many lines a second the faults of peers may have.
#include "transport/iwarp/fault_log.h"

#include <gtest/gtest.h>

#include <chrono>

#include "support/requirement.h"

namespace opennd::iwarp {
namespace {

TEST(FaultLog, IsLoudForSomeLinesOfEachSecond) {
    support::proves("IW-SEC-19");
    FaultLog faults;
    SteadyTime at{std::chrono::hours(1)};
    for (int second = 0; second < 3; ++second, at += std::chrono::seconds(1)) {
        for (unsigned line = 0; line < FaultLog::kLinesASecond; ++line)
            EXPECT_EQ(faults.level(LogLevel::warn, at + std::chrono::milliseconds(line)), LogLevel::warn);
        EXPECT_EQ(faults.level(LogLevel::warn, at + std::chrono::milliseconds(20)), LogLevel::debug);
        EXPECT_EQ(faults.level(LogLevel::info, at + std::chrono::milliseconds(999)), LogLevel::debug);
    }
}

}  // namespace
}  // namespace opennd::iwarp

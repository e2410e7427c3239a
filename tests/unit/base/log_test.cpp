// SPDX-License-Identifier: MIT
// The sink gets the lines of its level and graver ones, and none after it was replaced.
#include "base/log.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "support/requirement.h"

namespace opennd {
namespace {

struct Lines {
    std::vector<std::pair<LogLevel, std::string>> seen;
    static void append(void* context, LogLevel level, const char* message) {
        static_cast<Lines*>(context)->seen.emplace_back(level, message);
    }
};

class LogTest : public testing::Test {
protected:
    void TearDown() override { set_log_sink(nullptr, nullptr, LogLevel::error); }

    Lines lines_;
};

TEST_F(LogTest, FormatsForTheSink) {
    set_log_sink(&Lines::append, &lines_, LogLevel::debug);
    log(LogLevel::warn, "queue pair {}: depth {} is over the limit {}", 3, 10, 8);
    ASSERT_EQ(lines_.seen.size(), 1u);
    EXPECT_EQ(lines_.seen[0].first, LogLevel::warn);
    EXPECT_EQ(lines_.seen[0].second, "queue pair 3: depth 10 is over the limit 8");
}

TEST_F(LogTest, GivesOnlyGraveEnoughLines) {
    set_log_sink(&Lines::append, &lines_, LogLevel::warn);
    EXPECT_TRUE(log_takes(LogLevel::error, LogCause::program).sink);
    EXPECT_TRUE(log_takes(LogLevel::warn, LogCause::program).sink);
    EXPECT_FALSE(log_takes(LogLevel::info, LogCause::program).sink);
    EXPECT_FALSE(log_wants(LogLevel::debug));
    log(LogLevel::info, "no");
    log(LogLevel::error, "yes");
    EXPECT_EQ(lines_.seen.size(), 1u);
}

TEST_F(LogTest, OffMeansNothing) {
    set_log_sink(&Lines::append, &lines_, LogLevel::off);
    EXPECT_FALSE(log_takes(LogLevel::error, LogCause::program).sink);
    log(LogLevel::error, "no");
    EXPECT_TRUE(lines_.seen.empty());
}

TEST_F(LogTest, GivesLinesOfTheChecksAtEveryLevelButOff) {
    set_log_sink(&Lines::append, &lines_, LogLevel::error);
    log(LogLevel::info, LogCause::checks, "a check");
    ASSERT_EQ(lines_.seen.size(), 1u);
    EXPECT_EQ(lines_.seen[0].first, LogLevel::info);
    set_log_sink(&Lines::append, &lines_, LogLevel::off);
    log(LogLevel::error, LogCause::checks, "another");
    EXPECT_EQ(lines_.seen.size(), 1u);
}

TEST_F(LogTest, AReplacedSinkIsNotCalledAgain) {
    Lines second;
    set_log_sink(&Lines::append, &lines_, LogLevel::debug);
    set_log_sink(&Lines::append, &second, LogLevel::debug);
    log(LogLevel::error, "one");
    EXPECT_TRUE(lines_.seen.empty());
    EXPECT_EQ(second.seen.size(), 1u);
}

std::size_t written(const Lines& lines, std::string_view text) {
    return static_cast<std::size_t>(std::count_if(lines.seen.begin(), lines.seen.end(), [&](const auto& line) {
        return line.second.find(text) != std::string::npos;
    }));
}

TEST_F(LogTest, TakesSoManyLinesThatOthersCauseAndAllOfTheProgram) {
    support::proves("IW-SEC-19");
    set_log_sink(&Lines::append, &lines_, LogLevel::info);
    for (int i = 0; i < 1000; ++i) {
        log(LogLevel::error, LogCause::caller, "a caller");
        log(LogLevel::info, LogCause::peer, "a peer");
        log(LogLevel::info, "the program");
    }
    EXPECT_EQ(written(lines_, "the program"), 1000u);
    // A second or two may pass meanwhile.
    for (const char* who : {"a caller", "a peer"}) {
        EXPECT_GE(written(lines_, who), LineBudget::kAtOnce) << who;
        EXPECT_LE(written(lines_, who), LineBudget::kAtOnce + 10) << who;
    }
}

TEST_F(LogTest, LeavesNothingOutForWhoeverLooksForFaults) {
    set_log_sink(&Lines::append, &lines_, LogLevel::debug);
    for (int i = 0; i < 1000; ++i) log(LogLevel::error, LogCause::peer, "a peer");
    EXPECT_EQ(lines_.seen.size(), 1000u);
}

TEST_F(LogTest, CountsNoLinesThatAreNotGraveEnough) {
    set_log_sink(&Lines::append, &lines_, LogLevel::warn);
    for (int i = 0; i < 1000; ++i) log(LogLevel::info, LogCause::peer, "a peer");
    log(LogLevel::warn, LogCause::peer, "another");
    EXPECT_EQ(lines_.seen.size(), 1u);
}

TEST_F(LogTest, GivesEachSinkTheSameRoom) {
    for (int i = 0; i < 3; ++i) {
        set_log_sink(&Lines::append, &lines_, LogLevel::warn);
        for (std::uint32_t j = 0; j < LineBudget::kAtOnce; ++j) log(LogLevel::warn, LogCause::peer, "a peer");
    }
    EXPECT_EQ(lines_.seen.size(), 3 * LineBudget::kAtOnce);
}

// Each sink lives on the stack of the test: a late call would be a use after free, which the sanitizers report.
TEST_F(LogTest, AReplacedSinkIsNotRunningAnyMore) {
    std::atomic<bool> stop{false};
    std::thread writer([&] {
        while (!stop) log(LogLevel::error, "line");
    });
    for (int i = 0; i < 200; ++i) {
        Lines lines;
        set_log_sink(&Lines::append, &lines, LogLevel::error);
        set_log_sink(&Lines::append, &lines_, LogLevel::error);
    }
    stop = true;
    writer.join();
}

}  // namespace
}  // namespace opennd

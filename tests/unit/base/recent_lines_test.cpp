// SPDX-License-Identifier: MIT
// The last lines stay in memory whatever the log's level; no flood costs more than a bounded number of them each second.
#include "base/recent_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <string>

#include "base/explanation.h"
#include "base/log.h"
#include "support/deadline.h"

namespace opennd {
namespace {

using testing::EndsWith;
using testing::HasSubstr;

constexpr RecentLines::Time kStart{std::chrono::hours(1)};

TEST(RecentLinesTest, KeepsTheNewest) {
    RecentLines lines;
    for (std::size_t i = 0; i != RecentLines::kMost + 3; ++i) lines.keep(LogLevel::warn, std::to_string(i));
    const auto all = lines.all();
    ASSERT_EQ(all.size(), RecentLines::kMost);
    EXPECT_EQ(all.front().text, "3");
    EXPECT_EQ(all.back().text, std::to_string(RecentLines::kMost + 2));
    EXPECT_EQ(all.back().level, LogLevel::warn);
    EXPECT_EQ(all.back().thread, ::gettid());
}

TEST(RecentLinesTest, CutsALongOne) {
    RecentLines lines;
    lines.keep(LogLevel::warn, std::string(2 * RecentLines::kMostBytes, 'x'));
    EXPECT_EQ(lines.all().at(0).text.size(), RecentLines::kMostBytes);
}

TEST(RecentLinesTest, AFloodIsCountedAndTheNextSecondHasRoom) {
    RecentLines lines;
    for (std::size_t i = 0; i != RecentLines::kMost; ++i) EXPECT_TRUE(lines.take_room(kStart));
    EXPECT_FALSE(lines.has_room(kStart));
    EXPECT_FALSE(lines.take_room(kStart));
    EXPECT_FALSE(lines.take_room(kStart + std::chrono::milliseconds(999)));
    EXPECT_TRUE(lines.has_room(kStart + std::chrono::seconds(1)));
    ASSERT_TRUE(lines.take_room(kStart + std::chrono::seconds(1)));
    lines.keep(LogLevel::warn, "next");
    const auto all = lines.all();
    ASSERT_EQ(all.size(), 2u);
    EXPECT_THAT(all[0].text, HasSubstr("2 lines were left out"));
    EXPECT_EQ(all[1].text, "next");
}

TEST(RecentLinesTest, AFailureIsKeptThoughTheLogIsOff) {
    set_log_sink([](void*, LogLevel, const char*) { FAIL() << "the log is off"; }, nullptr, LogLevel::off);
    ASSERT_TRUE(support::wait_until([] { return log_wants(LogLevel::warn); })) << "other tests have filled this second";
    (void)report(Status::timed_out, {.object = "a test",
                                     .operation = "waiting",
                                     .asked = "nothing",
                                     .limit = "none",
                                     .remedy = "look into recent_log_lines()",
                                     .requirement = "ND2-GEN-02"});
    const auto lines = recent_log_lines();
    set_log_sink(nullptr, nullptr, LogLevel::error);
    ASSERT_FALSE(lines.empty());
    EXPECT_THAT(lines.back().text, EndsWith("look into recent_log_lines() (ND2-GEN-02)"));
}

TEST(RecentLinesTest, DetailsAreNotKept) {
    log(LogLevel::debug, "a detail of this test");
    for (const RecentLine& each : recent_log_lines()) EXPECT_NE(each.text, "a detail of this test");
}

}  // namespace
}  // namespace opennd

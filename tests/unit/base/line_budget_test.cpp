// SPDX-License-Identifier: MIT
// How many lines of one kind the log takes.
#include "base/log.h"

#include <gtest/gtest.h>

#include "support/requirement.h"

namespace opennd {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class LineBudgetTest : public testing::Test {
protected:
    // How many of `lines` at once found room.
    std::uint64_t taken(std::uint64_t lines) {
        std::uint64_t taken = 0;
        for (std::uint64_t i = 0; i < lines; ++i) taken += budget_.take(now_) ? 1 : 0;
        return taken;
    }

    LineBudget budget_;
    LineBudget::Time now_{std::chrono::hours(1)};
};

TEST_F(LineBudgetTest, TakesSomeAtOnceAndThenOneASecond) {
    support::proves("IW-SEC-19");
    EXPECT_EQ(taken(1000), LineBudget::kAtOnce);
    now_ += milliseconds(999);
    EXPECT_EQ(taken(1000), 0u);
    now_ += milliseconds(1);
    EXPECT_EQ(taken(1000), 1u);
    now_ += seconds(3);
    EXPECT_EQ(taken(1000), 3u);
}

TEST_F(LineBudgetTest, SaysWithTheNextLineHowManyWereLeftOut) {
    EXPECT_EQ(budget_.take(now_), 0u);
    EXPECT_EQ(taken(1000), LineBudget::kAtOnce - 1);
    now_ += seconds(1);
    EXPECT_EQ(budget_.take(now_), 1000u - (LineBudget::kAtOnce - 1));
    EXPECT_EQ(budget_.take(now_), std::nullopt);
    now_ += seconds(1);
    EXPECT_EQ(budget_.take(now_), 1u);
}

TEST_F(LineBudgetTest, IsWholeAgainAfterAWhileAndNeverMoreThanThat) {
    EXPECT_EQ(taken(1000), LineBudget::kAtOnce);
    now_ += std::chrono::hours(24);
    EXPECT_EQ(taken(1000), LineBudget::kAtOnce);
}

// Parts of a second count, however the lines lie.
TEST_F(LineBudgetTest, LosesNoTimeBetweenLines) {
    EXPECT_EQ(taken(LineBudget::kAtOnce), LineBudget::kAtOnce);
    std::uint64_t lines = 0;
    for (int i = 0; i < 100; ++i, now_ += milliseconds(300)) lines += taken(1);
    EXPECT_EQ(lines, 29u);
}

TEST_F(LineBudgetTest, TakesAClockThatStandsStillOrComesEarlier) {
    EXPECT_EQ(taken(LineBudget::kAtOnce), LineBudget::kAtOnce);
    now_ -= seconds(10);  // two threads, each with a time of its own
    EXPECT_EQ(taken(1), 0u);
    now_ += seconds(11);
    EXPECT_EQ(taken(5), 1u);
}

}  // namespace
}  // namespace opennd

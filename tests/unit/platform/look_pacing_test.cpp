// SPDX-License-Identifier: MIT
// When a look pays, and the processor time of looks in vain, by given times.
#include "platform/thread/look_pacing.h"

#include <gtest/gtest.h>

namespace opennd {
namespace {

using namespace std::chrono_literals;

class WaitLookPacingTest : public testing::Test {
protected:
    bool work_after(std::chrono::nanoseconds distance) { return pacing_.did_work(at_ += distance); }

    SteadyTime at_{1h};
    LookPacing pacing_;
};

TEST_F(WaitLookPacingTest, PaysAfterWorkThatFollowedWorkSoon) {
    EXPECT_FALSE(work_after(0ns));  // the first
    EXPECT_TRUE(work_after(LookPacing::kLongestDistance));
    EXPECT_FALSE(work_after(LookPacing::kLongestDistance + 1ns));
    EXPECT_TRUE(work_after(1us));
}

TEST_F(WaitLookPacingTest, EndsWhenMuchTimeWasSpentInVain) {
    (void)work_after(0ns);
    pacing_.looked_in_vain(LookPacing::kMostVain);
    EXPECT_FALSE(work_after(1us));
}

TEST_F(WaitLookPacingTest, EarnsItsTimeAnew) {
    (void)work_after(0ns);
    pacing_.looked_in_vain(LookPacing::kMostVain);
    (void)work_after(LookPacing::kVainShare * LookPacing::kLongestLook);
    EXPECT_TRUE(work_after(1us));
}

TEST_F(WaitLookPacingTest, SavesNoMoreThanTheMost) {
    (void)work_after(24h);
    pacing_.looked_in_vain(LookPacing::kMostVain);
    EXPECT_FALSE(work_after(1us));
}

// On a busy processor others run for milliseconds while a thread looks.
TEST_F(WaitLookPacingTest, EarnsAllOfALookThatTookLong) {
    (void)work_after(0ns);
    pacing_.looked_in_vain(LookPacing::kMostVain + 10ms);
    (void)work_after(LookPacing::kVainShare * 10ms);
    EXPECT_FALSE(work_after(1us));
    (void)work_after(LookPacing::kVainShare * LookPacing::kLongestLook);
    EXPECT_TRUE(work_after(1us));
}

// Pairs of messages, each followed by a long silence: every look is in vain.
TEST_F(WaitLookPacingTest, SpendsLessThanAHundredthInVain) {
    (void)work_after(0ns);
    std::chrono::nanoseconds in_vain{};
    const SteadyTime begin = at_;
    for (int pair = 0; pair < 100'000; ++pair) {
        (void)work_after(1ms);
        if (!work_after(10us)) continue;
        pacing_.looked_in_vain(LookPacing::kLongestLook);
        in_vain += LookPacing::kLongestLook;
    }
    EXPECT_LT(in_vain, (at_ - begin) / 100);
    EXPECT_GT(in_vain, (at_ - begin) / 200) << "it gave up for good";
}

}  // namespace
}  // namespace opennd

// SPDX-License-Identifier: MIT
// How long a served target is looked at, by given times.
#include "transport/iwarp/look_pacing.h"

#include <gtest/gtest.h>

namespace opennd::iwarp {
namespace {

using namespace std::chrono_literals;

class LookPacingTest : public testing::Test {
protected:
    bool served_after(std::chrono::nanoseconds pause, LookPacing::Target& target) {
        return pacing_.served(target, at_ += pause);
    }
    bool served_after(std::chrono::nanoseconds pause) { return served_after(pause, target_); }
    bool goes_on_after(std::chrono::nanoseconds pause) { return pacing_.goes_on(target_, at_ += pause); }

    LookPacing pacing_;
    LookPacing::Target target_;
    SteadyTime at_{1h};
};

TEST_F(LookPacingTest, LooksAfterTwoRequestsInARow) {
    EXPECT_FALSE(served_after(0s));  // none before it
    EXPECT_TRUE(served_after(30us));
    EXPECT_TRUE(served_after(5us));
    EXPECT_TRUE(served_after(LookPacing::kLongestDistance));
}

TEST_F(LookPacingTest, DoesNotLookForRareRequests) {
    (void)served_after(0s);
    for (int i = 0; i < 100; ++i) EXPECT_FALSE(served_after(LookPacing::kLongestDistance + 1ns));
}

TEST_F(LookPacingTest, GivesUpWhenNothingComes) {
    (void)served_after(0s);
    ASSERT_TRUE(served_after(30us));
    EXPECT_TRUE(goes_on_after(LookPacing::kLongestLook - 1ns));
    EXPECT_FALSE(goes_on_after(1ns));
}

TEST_F(LookPacingTest, LooksAnewAfterEachRequest) {
    (void)served_after(0s);
    for (int i = 0; i < 1000; ++i) {
        ASSERT_TRUE(served_after(1us));
        ASSERT_TRUE(goes_on_after(LookPacing::kLongestLook - 1ns));
    }
}

TEST_F(LookPacingTest, KeepsTargetsApart) {
    LookPacing::Target other;
    (void)served_after(0s);
    EXPECT_FALSE(served_after(1us, other));
    EXPECT_TRUE(served_after(1us, other));
    EXPECT_TRUE(served_after(1us));
}

TEST_F(LookPacingTest, SpendsOnlyItsShareOfTheTimeInVain) {
    const SteadyTime begin = at_;
    std::chrono::nanoseconds in_vain{0};
    for (int i = 0; i < 100'000; ++i) {  // as bad as a peer can make it: each look is in vain
        if (!served_after(LookPacing::kLongestDistance)) continue;
        EXPECT_FALSE(goes_on_after(LookPacing::kLongestLook));
        in_vain += LookPacing::kLongestLook;
    }
    EXPECT_LE(in_vain, (at_ - begin) / LookPacing::kVainShare + LookPacing::kMostVain);
    EXPECT_GT(in_vain, (at_ - begin) / LookPacing::kVainShare / 2);
}

TEST_F(LookPacingTest, CountsTheTimeOfAThreadThatWasHeldUp) {
    (void)served_after(0s);
    ASSERT_TRUE(served_after(1us));
    EXPECT_FALSE(goes_on_after(LookPacing::kMostVain));
    EXPECT_FALSE(served_after(1us));  // nothing is left to be spent in vain
    EXPECT_FALSE(served_after(1us));
}

TEST_F(LookPacingTest, EarnsNoMoreThanTheMostWhileNothingComes) {
    (void)served_after(1000h);
    int looks = 0;
    while (served_after(1us)) {
        EXPECT_FALSE(goes_on_after(LookPacing::kLongestLook));
        ++looks;
    }
    EXPECT_EQ(looks, LookPacing::kMostVain / LookPacing::kLongestLook);
}

}  // namespace
}  // namespace opennd::iwarp

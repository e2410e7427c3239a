// SPDX-License-Identifier: MIT
// When a look pays, how long it goes on, and the processor time of looks in vain, by given times.
#include "platform/thread/look_pacing.h"

#include <gtest/gtest.h>

namespace opennd {
namespace {

using namespace std::chrono_literals;

class LookPacingTest : public testing::Test {
protected:
    bool work_after(std::chrono::nanoseconds distance, LookPacing::Place& place) {
        return pacing_.did_work(place, at_ += distance);
    }
    bool work_after(std::chrono::nanoseconds distance) { return work_after(distance, place_); }
    void spend(std::chrono::nanoseconds time) {
        for (; time > 0ns; time -= LookPacing::kLongestLook) pacing_.looked_in_vain(LookPacing::kLongestLook);
    }
    bool goes_on_after(std::chrono::nanoseconds distance) { return pacing_.goes_on(place_, at_ += distance); }

    SteadyTime at_{1h};
    LookPacing pacing_;
    LookPacing::Place place_;
};

TEST_F(LookPacingTest, PaysAfterWorkThatFollowedWorkSoon) {
    EXPECT_FALSE(work_after(0ns));  // the first
    EXPECT_TRUE(work_after(LookPacing::kLongestDistance));
    EXPECT_FALSE(work_after(LookPacing::kLongestDistance + 1ns));
    EXPECT_TRUE(work_after(1us));
}

TEST_F(LookPacingTest, KeepsPlacesApart) {
    LookPacing::Place other;
    (void)work_after(0s);
    EXPECT_FALSE(work_after(1us, other));
    EXPECT_TRUE(work_after(1us, other));
    EXPECT_TRUE(work_after(1us));
}

TEST_F(LookPacingTest, GivesUpWhenNothingComes) {
    (void)work_after(0s);
    ASSERT_TRUE(work_after(30us));
    EXPECT_TRUE(goes_on_after(LookPacing::kLongestLook - 1ns));
    EXPECT_FALSE(goes_on_after(1ns));
}

TEST_F(LookPacingTest, LooksAnewAfterEachPieceOfWork) {
    (void)work_after(0s);
    for (int i = 0; i < 1000; ++i) {
        ASSERT_TRUE(work_after(1us));
        ASSERT_TRUE(goes_on_after(LookPacing::kLongestLook - 1ns));
    }
}

TEST_F(LookPacingTest, EndsWhenMuchTimeWasSpentInVain) {
    (void)work_after(0ns);
    spend(LookPacing::kMostVain);
    EXPECT_FALSE(work_after(1us));
}

TEST_F(LookPacingTest, EarnsItsTimeAnew) {
    (void)work_after(0ns);
    spend(LookPacing::kMostVain);
    (void)work_after(LookPacing::kVainShare * LookPacing::kLongestLook);
    EXPECT_TRUE(work_after(1us));
}

TEST_F(LookPacingTest, SavesNoMoreThanTheMost) {
    (void)work_after(1000h);
    int looks = 0;
    while (work_after(1us)) {
        EXPECT_FALSE(goes_on_after(LookPacing::kLongestLook));
        ++looks;
    }
    EXPECT_EQ(looks, LookPacing::kMostVain / LookPacing::kLongestLook);
}

// On a busy processor others run for milliseconds while a thread looks; that thread looked for no longer than ever.
TEST_F(LookPacingTest, DoesNotSpendTheTimeOfOthers) {
    (void)work_after(0ns);
    for (int i = 1; i < LookPacing::kMostVain / LookPacing::kLongestLook; ++i) pacing_.looked_in_vain(10ms);
    EXPECT_TRUE(work_after(1ns));
    pacing_.looked_in_vain(10ms);
    EXPECT_FALSE(work_after(1ns));
}

TEST_F(LookPacingTest, EarnsByWhatItFinds) {
    (void)work_after(0ns);
    spend(LookPacing::kMostVain);
    for (int i = 1; i < LookPacing::kLongestLook / LookPacing::kSavedByFinding; ++i) pacing_.looked_with_success();
    EXPECT_FALSE(work_after(1ns));
    for (int i = 0; i < 2; ++i) pacing_.looked_with_success();
    EXPECT_TRUE(work_after(1ns));
}

TEST_F(LookPacingTest, SavesNoMoreByFindingThanTheMost) {
    (void)work_after(0ns);
    for (int i = 0; i < 2 * (LookPacing::kMostSaved / LookPacing::kSavedByFinding); ++i) pacing_.looked_with_success();
    spend(LookPacing::kMostSaved - LookPacing::kLongestLook);
    EXPECT_TRUE(work_after(1ns));
    spend(LookPacing::kLongestLook);
    EXPECT_FALSE(work_after(1ns));
}

// As bad as a peer can make it: pairs of messages, each followed by a silence, so that every look is in vain.
TEST_F(LookPacingTest, SpendsLessThanAHundredthInVain) {
    (void)work_after(0ns);
    std::chrono::nanoseconds in_vain{};
    const SteadyTime begin = at_;
    for (int pair = 0; pair < 100'000; ++pair) {
        (void)work_after(1ms);
        if (!work_after(10us)) continue;
        EXPECT_FALSE(goes_on_after(LookPacing::kLongestLook));
        in_vain += LookPacing::kLongestLook;
    }
    EXPECT_LT(in_vain, (at_ - begin) / 100);
    EXPECT_GT(in_vain, (at_ - begin) / 200) << "it gave up for good";
}

}  // namespace
}  // namespace opennd

// SPDX-License-Identifier: MIT
#include "transport/iwarp/silence.h"

#include <gtest/gtest.h>

#include "support/requirement.h"

namespace opennd::iwarp {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using support::proves;

constexpr seconds kLimit{8};
constexpr SteadyTime kBegin = SteadyTime{} + seconds(1000);

// The peer has answered all, `ago` in the past; or it has answered nothing since, and `missing` repetitions are without an answer.
PeerAnswers answered(milliseconds ago) { return {ago, true, 0}; }
PeerAnswers unanswered(milliseconds ago, unsigned missing) { return {ago, false, missing}; }

class SilenceTest : public testing::Test {
protected:
    SilenceTest() { silence_.begin(kBegin); }
    bool is_over_after(milliseconds time, const PeerAnswers& answers) {
        return silence_.is_over(kBegin + time, answers);
    }

    Silence silence_{kLimit};
};

TEST_F(SilenceTest, IsOverAtItsLimit) {
    proves("IW-CM-02");
    EXPECT_FALSE(is_over_after(kLimit - milliseconds(1), unanswered(seconds(100), 5)));
    EXPECT_TRUE(is_over_after(kLimit, unanswered(seconds(100), 5)));
}

// Octets may have left just before the look, long after the newest answer.
TEST_F(SilenceTest, BeginsWithTheLookThatFindsAnAnswer) {
    EXPECT_FALSE(is_over_after(seconds(6), unanswered(seconds(5), 0)));
    EXPECT_FALSE(is_over_after(seconds(6) + kLimit - milliseconds(1), unanswered(seconds(13), 5)));
    EXPECT_TRUE(is_over_after(seconds(6) + kLimit, unanswered(seconds(13), 5)));
}

// A closed window is probed ever more rarely: every two minutes in the end.
TEST_F(SilenceTest, IsNoneOfAPeerThatHasAnsweredTheNewestProbe) {
    for (int look = 1; look < 60; ++look)
        EXPECT_FALSE(is_over_after(look * seconds(2), answered(look * seconds(2)))) << look;
    EXPECT_FALSE(is_over_after(seconds(120), unanswered(seconds(120), 1)));
    EXPECT_FALSE(is_over_after(seconds(240), unanswered(seconds(240), 1))) << "one probe may get lost";
    EXPECT_TRUE(is_over_after(seconds(242), unanswered(seconds(242), 2)));
}

TEST_F(SilenceTest, IsLookedForAFewTimes) {
    EXPECT_EQ(silence_.distance(), kLimit / 4);
    EXPECT_GT(Silence(milliseconds(1)).distance(), milliseconds(0));
}

}  // namespace
}  // namespace opennd::iwarp

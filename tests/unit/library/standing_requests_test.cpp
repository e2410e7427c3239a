// SPDX-License-Identifier: MIT
#include "library/inspection/standing_requests.h"

#include <gtest/gtest.h>

#include <chrono>

namespace opennd {
namespace {

using namespace std::chrono_literals;

constexpr SteadyTime kBegin{1h};

TEST(StandingRequests, TellsHowLongLooksHaveSeenTheSameRequest) {
    StandingRequests standing;
    EXPECT_EQ(standing.seen(1, 10, kBegin), 0s);
    EXPECT_EQ(standing.seen(1, 10, kBegin + 2s), 2s);
    EXPECT_EQ(standing.seen(2, 10, kBegin + 2s), 0s) << "another queue pair";
    EXPECT_EQ(standing.seen(1, 11, kBegin + 3s), 0s) << "another request";
    EXPECT_EQ(standing.seen(1, 11, kBegin + 4s), 1s);
}

TEST(StandingRequests, ForgetsWhatTheNewestLookHasNotSeen) {
    StandingRequests standing;
    (void)standing.seen(1, 10, kBegin);
    (void)standing.seen(2, 10, kBegin);
    (void)standing.seen(1, 10, kBegin + 1s);
    standing.forget_before(kBegin + 1s);
    EXPECT_EQ(standing.seen(1, 10, kBegin + 2s), 2s);
    EXPECT_EQ(standing.seen(2, 10, kBegin + 2s), 0s) << "nothing of it was outstanding in between";
}

}  // namespace
}  // namespace opennd

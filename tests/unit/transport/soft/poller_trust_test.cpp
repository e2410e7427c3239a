// SPDX-License-Identifier: MIT
// How many polls it takes until a peer, or a socket, is told to rely on the poller (docs/decisions/0014).
#include <gtest/gtest.h>

#include "scripted_queue_pair.h"
#include "support/requirement.h"

namespace opennd::soft {
namespace {

using support::proves;

class PollerTrust : public test::ScriptedQueuePair {
protected:
    static constexpr int kMostPolls = 1 << 16;

    // Polls until the channel is told so; kMostPolls: it is not.
    int polls_until_polling() {
        for (int polls = 0; polls < kMostPolls; ++polls) {
            if (channel_->attention() == Attention::polling) return polls;
            poll();
        }
        return kMostPolls;
    }
    // As the service thread does for a poller that has gone.
    void leave() {
        queue_pair_->serve();
        queue_pair_->trust_pollers_less();
    }
};

TEST_F(PollerTrust, TakesTwiceThePollsEachTimeOneLeftAnArrivalBehind) {
    proves("IW-PERF-16");
    const int first = polls_until_polling();
    ASSERT_LT(first, kMostPolls);
    leave();
    EXPECT_EQ(polls_until_polling(), 2 * first);
    leave();
    EXPECT_EQ(polls_until_polling(), 4 * first);
    for (int times = 0; times < 40; ++times) leave();
    EXPECT_LT(polls_until_polling(), kMostPolls);
}

TEST_F(PollerTrust, IsWholeAgainForAProgramThatSaysWhenItStops) {
    proves("IW-PERF-16");
    const int first = polls_until_polling();
    leave();
    completions_->arm(NotifyKind::any);
    channel_->on_start = [] { return StartResult{Start::done}; };
    WorkRequest nothing;
    nothing.operation = Operation::send;
    ASSERT_EQ(queue_pair_->post(nothing), Status::success);
    ASSERT_EQ(events_.event.wait(), Status::success);  // armed no more
    EXPECT_EQ(poll(), 1u);
    EXPECT_EQ(polls_until_polling(), first);
}

TEST_F(PollerTrust, IsNotGivenToOneThatMayWaitForAnEvent) {
    proves("ND2-CQ-NTF-08");
    completions_->arm(NotifyKind::any);
    EXPECT_EQ(polls_until_polling(), kMostPolls) << "polls of an armed queue count";
    completions_->disarm();
    EXPECT_LT(polls_until_polling(), kMostPolls);
}

TEST_F(PollerTrust, BeginsAnewBehindAnEvent) {
    proves("ND2-CQ-NTF-08");
    const int first = polls_until_polling();
    completions_->arm(NotifyKind::any);
    completions_->disarm();
    EXPECT_EQ(polls_until_polling(), first);
}

}  // namespace
}  // namespace opennd::soft

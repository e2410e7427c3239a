// SPDX-License-Identifier: MIT
// Peers that connect without end: the loop serves others meanwhile, and takes every connection in the end.
#include "platform/thread/accept_turns.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <future>
#include <memory>

#include "platform/descriptor/doorbell.h"
#include "support/deadline.h"

namespace opennd {
namespace {

// Whatever it is asked for it has: the crowd decides.
class Crowd final : public AcceptTurns {
public:
    using AcceptTurns::AcceptTurns;

    std::atomic<bool> without_end{true};
    std::atomic<int> waiting{0}, taken{0}, refused{0}, without_place{0};

private:
    Status accept_one() override {
        if (without_place > 0) {
            --without_place;
            ++refused;
            return Status::insufficient_resources;
        }
        if (!without_end && waiting.fetch_sub(1) <= 0) return Status::would_block;
        ++taken;
        return Status::success;
    }
};

class AcceptTurnsTest : public testing::Test {
protected:
    void SetUp() override { ASSERT_EQ(loop_.add(bell_.descriptor(), EventLoop::kArrival, crowd_), Status::success); }
    void TearDown() override {
        crowd_->without_end = false;
        loop_.remove(bell_.descriptor());
    }
    // Whether a function that is posted now runs.
    bool serves_others() {
        const auto served = std::make_shared<std::promise<void>>();  // it may run after the deadline
        loop_.post([served] { served->set_value(); });
        return served->get_future().wait_for(support::kDeadline) == std::future_status::ready;
    }

    EventLoop loop_;
    Doorbell bell_ = Doorbell::create().take();
    const Ref<Crowd> crowd_ = make_ref<Crowd>(loop_);
};

TEST_F(AcceptTurnsTest, ServeOthersWhileConnectionsComeWithoutEnd) {
    bell_.ring();
    ASSERT_TRUE(support::wait_until([&] { return crowd_->taken > AcceptTurns::kMostInTurn; }));
    for (int i = 0; i < 100; ++i) ASSERT_TRUE(serves_others());
}

// Each turn has an arrival and what the turn before left; both together are one budget.
TEST_F(AcceptTurnsTest, TakeNoMoreInATurnForArrivalsInBetween) {
    bell_.ring();
    ASSERT_TRUE(serves_others());
    constexpr int kTurns = 50;
    int most = 0;
    for (int i = 0; i < kTurns; ++i) {
        bell_.ring();
        // The functions are posted by a callback, so that a whole turn lies between the two.
        std::promise<int> turn;
        loop_.post([&, before = crowd_->taken.load()]() mutable {
            before = crowd_->taken;
            loop_.post([&, before] { turn.set_value(crowd_->taken - before); });
        });
        most = std::max(most, turn.get_future().get());
    }
    EXPECT_LE(most, 2 * AcceptTurns::kMostInTurn);
}

TEST_F(AcceptTurnsTest, TakeAllThatWaits) {
    crowd_->without_end = false;
    constexpr int kWaiting = 10 * AcceptTurns::kMostInTurn + 1;
    crowd_->waiting = kWaiting;
    bell_.ring();
    EXPECT_TRUE(support::wait_until([&] { return crowd_->taken == kWaiting; }));
}

TEST_F(AcceptTurnsTest, ComeAgainOnceThereIsAPlace) {
    crowd_->without_end = false;
    crowd_->waiting = 3;
    crowd_->without_place = 2;
    bell_.ring();
    EXPECT_TRUE(support::wait_until([&] { return crowd_->taken == 3; }));
    EXPECT_EQ(crowd_->refused, 2);
}

}  // namespace
}  // namespace opennd

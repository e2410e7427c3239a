// SPDX-License-Identifier: MIT
// A thread that heard of room, or of an arrival, while another was inside: the other does its work, or has it done. A socket
// tells of either once.
#include <functional>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "scripted_queue_pair.h"
#include "support/deadline.h"
#include "support/requirement.h"
#include "transport/soft/adapter.h"
#include "transport/soft/engine/receive_turn.h"
#include "transport/soft/engine/service.h"

namespace opennd::soft {
namespace {

using support::proves;
using test::ScriptedQueuePair;

class TurnedAway : public ScriptedQueuePair {
protected:
    TurnedAway() {
        channel_->on_start = [this] { return start(); };
    }

    // The first time no room, the second time some that comes before this is told; then there is room.
    StartResult start() {
        if (++starts_ == 2) meanwhile_();
        return starts_ <= 2 ? StartResult{Start::blocked, Status::success, {}} : StartResult{Start::done};
    }
    void post_long_send() {
        const Sge all{memory_.data(), static_cast<std::uint32_t>(memory_.size()), registration_->local_token()};
        WorkRequest request;
        request.operation = Operation::send;
        request.sges = {&all, 1};
        ASSERT_EQ(queue_pair_->post(request), Status::success);
    }

    std::vector<std::byte> memory_ = std::vector<std::byte>(kLongCopyBytes + 1);
    Ref<TransportMemory> registration_ =
        adapter_->register_memory(memory_.data(), memory_.size(), Access::local_write).take();
    std::function<void()> meanwhile_;
    int starts_ = 0, looks_ = 0;
};

TEST_F(TurnedAway, WithNewsOfRoomItIsStartedAgain) {
    proves("IW-PERF-16");
    meanwhile_ = [this] { queue_pair_->serve(); };
    post_long_send();
    EXPECT_EQ(starts_, 3);
    EXPECT_EQ(poll(), 1u);
}

// A peer without room must not keep the program in its post.
TEST_F(TurnedAway, AgainAndAgainTheServiceThreadGoesOnInstead) {
    proves("IW-PERF-16");
    constexpr int kTooOften = 1000;
    const std::thread::id poster = std::this_thread::get_id();
    channel_->on_start = [this, poster]() -> StartResult {
        if (std::this_thread::get_id() != poster) return {Start::done};
        if (++starts_ < kTooOften) queue_pair_->serve();
        return {Start::blocked, Status::success, {}};
    };
    post_long_send();
    EXPECT_LT(starts_, kTooOften);
    EXPECT_TRUE(support::wait_until([this] { return poll() == 1; }));
}

// It comes again by itself, and often.
TEST_F(TurnedAway, APollerIsNotWorkedFor) {
    meanwhile_ = [this] { EXPECT_EQ(poll(), 0u); };
    post_long_send();
    EXPECT_EQ(starts_, 2);
    EXPECT_EQ(poll(), 1u);
    EXPECT_EQ(starts_, 3);
}

TEST_F(TurnedAway, WithNewsOfAnArrivalItIsLookedForAgain) {
    proves("IW-PERF-16");
    channel_->on_receive = [this](ReceiveTurn& turn) {
        if (++looks_ > 1) return 0;
        turn.begin_long_copy();
        queue_pair_->serve();
        turn.end_long_copy();
        return 0;
    };
    queue_pair_->run();
    EXPECT_EQ(looks_, 2);
}

// A thread that looked as long as it may leaves the arrival that another told it of to the service thread.
TEST_F(TurnedAway, ByOneThatHasDoneItsShareTheServiceThreadLooks) {
    proves("IW-PERF-16");
    constexpr std::size_t kMoreThanItsShare = 1000;
    test::Heard looked_again;
    channel_->on_receive = [&](ReceiveTurn& turn) -> std::size_t {
        if (++looks_ > 1) return looked_again.set(Status::success), 0;
        turn.begin_long_copy();
        queue_pair_->serve();
        turn.end_long_copy();
        return kMoreThanItsShare;
    };
    queue_pair_->run();
    EXPECT_EQ(looked_again.wait(), Status::success);
    test::Heard turned;
    loop_.post([&turned] { turned.set(Status::success); });
    EXPECT_EQ(turned.wait(), Status::success) << "the service thread is in it no more";
    channel_->on_receive = [](ReceiveTurn&) { return std::size_t{0}; };
}

}  // namespace
}  // namespace opennd::soft

// SPDX-License-Identifier: MIT
// A thread that heard of room, or of an arrival, while another was inside: the other does its work, or has it done. A socket
// tells of either once.
#include <array>
#include <functional>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "connected_pair.h"
#include "scripted_channel.h"
#include "support/requirement.h"
#include "transport/soft/queue_pair.h"
#include "transport/soft/responder.h"

namespace opennd::soft {
namespace {

using support::proves;

class TurnedAway : public testing::Test {
protected:
    TurnedAway() {
        std::vector<std::unique_ptr<Wire>> wires;
        wires.push_back(std::make_unique<loopback::LoopbackWire>());
        transport_ = std::make_unique<SoftTransport>(loop_, mappable_, std::move(wires));
        adapter_ = transport_->open(Address()).take();
        completions_ = adapter_->create_completion_queue(8, NotifyRule::level, events_).take();
        const Ref<TransportQueuePair> made =
            adapter_->create_queue_pair({{4, 4, 1, 1, 0}, completions_, completions_, nullptr}).take();
        queue_pair_ = Ref<SoftQueuePair>(static_cast<SoftQueuePair*>(made.get()));
        registration_ = adapter_->register_memory(memory_.data(), memory_.size(), Access::local_write).take();
        channel_->on_start = [this] { return start(); };
        queue_pair_->attach(channel_, nullptr, {1, 1});
    }
    ~TurnedAway() override {
        queue_pair_->close();
        completions_->close();
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
    std::size_t poll() {
        Completion completion;
        return completions_->poll({&completion, 1});
    }

    std::vector<std::byte> memory_ = std::vector<std::byte>(kLongCopyBytes + 1);
    EventLoop loop_;
    MappableMemory mappable_;
    std::unique_ptr<SoftTransport> transport_;
    Ref<TransportAdapter> adapter_;
    test::CountingSink events_;
    Ref<TransportCompletionQueue> completions_;
    Ref<SoftQueuePair> queue_pair_;
    Ref<TransportMemory> registration_;
    Ref<test::ScriptedChannel> channel_ = make_ref<test::ScriptedChannel>();
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
    channel_->on_receive = [this](Responder& responder) {
        if (++looks_ > 1) return 0;
        responder.begin_long_copy();
        queue_pair_->serve();
        responder.end_long_copy();
        return 0;
    };
    queue_pair_->resume();
    EXPECT_EQ(looks_, 2);
}

}  // namespace
}  // namespace opennd::soft

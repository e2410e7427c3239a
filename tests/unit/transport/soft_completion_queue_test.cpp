// SPDX-License-Identifier: MIT
// The software RNIC's completion queue by itself: room, overrun, credits; and that many queue pairs are all looked at.
#include "transport/soft/completion_queue.h"

#include <array>
#include <atomic>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "scripted_queue_pair.h"
#include "support/requirement.h"

namespace opennd::soft {
namespace {

using support::proves;

class DeathSink final : public CompletionQueueSink {
public:
    bool overrun = false;
    void on_completion_event(NotifyKind) override {}
    void on_overrun() override { overrun = true; }
};

class StrictQueue : public testing::Test {
protected:
    static constexpr std::uint32_t kDepth = 2;

    StrictQueue() {
        for (std::uint32_t room = 0; room < 2 * kDepth; ++room) queue_->add_room();
    }
    ~StrictQueue() override { queue_->close(); }

    void push(Operation operation, const Credit& credit = {}) {
        Progress progress;
        queue_->push({Status::success, operation, false, 0, nullptr, nullptr}, credit, progress);
        progress.finish();
    }
    std::size_t poll(std::size_t most = 1) { return queue_->poll(std::span(results_).first(most)); }

    DeathSink sink_;
    Ref<SoftCompletionQueue> queue_ =
        make_ref<SoftCompletionQueue>(kDepth, OverrunRule::strict, NotifyRule::level, sink_);
    std::array<Completion, 2 * kDepth> results_;
};

TEST_F(StrictQueue, HoldsItsDepthAndNotOneMore) {
    proves("ND2-CQ-OVR-01", "ND2-CQ-OVR-03");
    for (std::uint32_t result = 0; result < kDepth; ++result) push(Operation::send);
    EXPECT_FALSE(sink_.overrun);
    push(Operation::send);
    EXPECT_TRUE(sink_.overrun);
    EXPECT_EQ(poll(2 * kDepth), kDepth);
}

TEST_F(StrictQueue, TakesNothingOnceItOverran) {
    proves("ND2-CQ-OVR-01");
    for (std::uint32_t result = 0; result <= kDepth; ++result) push(Operation::send);
    ASSERT_EQ(poll(), 1u);
    push(Operation::receive);  // there would be room
    EXPECT_EQ(poll(2 * kDepth), kDepth - 1);
}

TEST_F(StrictQueue, HasRoomAgainOnceAnInvalidationWasTaken) {
    proves("ND1-CQ-08");
    for (int round = 0; round < 3; ++round) {
        push(Operation::remote_invalidation);
        ASSERT_EQ(poll(), 1u);
    }
    for (std::uint32_t result = 0; result < kDepth; ++result) push(Operation::send);
    EXPECT_FALSE(sink_.overrun);
    EXPECT_EQ(poll(2 * kDepth), kDepth);
}

TEST_F(StrictQueue, GivesASharedQueueOneSlotForEachResult) {
    proves("ND2-SRQ-RECV-04", "ND2-CQ-GET-08");
    std::atomic<std::uint32_t> freed{0};
    for (std::uint32_t result = 0; result < kDepth; ++result) push(Operation::receive, {&freed, 0, true});
    EXPECT_EQ(freed, 0u);
    for (std::uint32_t result = 1; result <= kDepth; ++result) {
        ASSERT_EQ(poll(), 1u);
        EXPECT_EQ(freed, result);
    }
}

class ManyQueuePairs : public test::ScriptedQueuePair {};

// A wire that must be asked shows nothing to a glance: each queue pair has its turn.
TEST_F(ManyQueuePairs, OnOneQueueAreEachLookedAt) {
    proves("IW-PERF-16");
    constexpr std::size_t kQueuePairs = 40;
    std::vector<Ref<TransportQueuePair>> queue_pairs;
    std::vector<int> looks(kQueuePairs);
    for (std::size_t i = 0; i < kQueuePairs; ++i) {
        queue_pairs.push_back(adapter_->create_queue_pair({{4, 4, 1, 1, 0}, completions_, completions_}).take());
        const auto channel = make_ref<test::ScriptedChannel>();
        channel->on_receive = [&looks, i](Responder&) -> std::size_t { return ++looks[i], 0; };
        static_cast<SoftQueuePair*>(queue_pairs.back().get())->attach(channel, nullptr, {1, 1});
    }
    for (std::size_t polls = 0; polls < 2 * kQueuePairs; ++polls) poll();
    for (std::size_t i = 0; i < kQueuePairs; ++i) EXPECT_GT(looks[i], 0) << i;
    for (const Ref<TransportQueuePair>& each : queue_pairs) each->close();
}

}  // namespace
}  // namespace opennd::soft

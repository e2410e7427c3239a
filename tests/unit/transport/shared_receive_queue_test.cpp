// SPDX-License-Identifier: MIT
// A shared receive queue at the seam: the effects of a message in the middle of its way. They need a wire with bytes
// that come in parts as a thread polls.
#include <cstdint>
#include <future>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "connected_pair.h"
#include "support/requirement.h"

namespace opennd::test {
namespace {

using support::proves;

constexpr std::size_t kLong = 8u << 20;  // more than a lane holds

class SharedReceives : public testing::Test {
protected:
    SharedReceives() {
        for (std::uintptr_t context = 1; context <= 2; ++context)
            EXPECT_EQ(passive().post(reinterpret_cast<void*>(context), {&target_, 1}), Status::success);
        // The sender's rest waits for the service thread, which is held up.
        std::promise<void> held_up;
        pair_.loop.post([&held_up, released = release_.get_future().share()] {
            held_up.set_value();
            released.wait();
        });
        held_up.get_future().wait();
        // Somebody looks, so that the message is streamed and not left for the sleeper to fetch.
        Completion none;
        EXPECT_EQ(pair_.passive.completions->poll({&none, 1}), 0u);
        WorkRequest send;
        send.sges = {&source_, 1};
        EXPECT_EQ(pair_.active.queue_pair->post(send), Status::success);
        EXPECT_EQ(pair_.passive.completions->poll({&none, 1}), 0u) << "the message is in the middle";
    }
    ~SharedReceives() override {
        let_service_thread_go();
        from_memory_->deregister();
        to_memory_->deregister();
    }

    void let_service_thread_go() {
        if (!std::exchange(is_released_, true)) release_.set_value();
    }

    TransportSharedReceiveQueue& passive() { return *pair_.passive.shared_receives; }

    std::promise<void> release_;
    bool is_released_ = false;
    ConnectedPair pair_{WireKind::shm, {64, 64, 4, 4, 256}, SharedReceiveQueueLimits{2, 4, 2}};
    std::vector<std::byte> from_{kLong, std::byte{7}}, to_{kLong};
    Ref<TransportMemory> from_memory_ =
        pair_.active.adapter->register_memory(from_.data(), from_.size(), Access::none).take();
    Ref<TransportMemory> to_memory_ =
        pair_.passive.adapter->register_memory(to_.data(), to_.size(), Access::local_write).take();
    Sge source_{from_.data(), static_cast<std::uint32_t>(kLong), from_memory_->local_token()};
    Sge target_{to_.data(), static_cast<std::uint32_t>(kLong), to_memory_->local_token()};
};

TEST_F(SharedReceives, AreTakenWhenTheMessageBegins) {
    proves("ND2-SRQ-RECV-04", "ND2-SRQ-NTF-01");
    passive().arm();
    EXPECT_EQ(pair_.passive.shortage.low.wait(), Status::success) << "one of two is left";
    EXPECT_EQ(passive().post(nullptr, {&target_, 1}), Status::queue_full) << "and its slot is in use";
}

TEST_F(SharedReceives, AreFlushedIfTakenAndKeptIfNot) {
    proves("ND2-SRQ-FLUSH-01", "ND2-QP-FLUSH-01");
    pair_.passive.queue_pair->flush();
    Completion flushed[2];
    ASSERT_EQ(pair_.passive.completions->poll(flushed), 1u);
    EXPECT_EQ(flushed[0].status, Status::canceled);
    EXPECT_EQ(flushed[0].request_context, reinterpret_cast<void*>(1));
    EXPECT_EQ(passive().post(nullptr, {&target_, 1}), Status::success) << "the slot is free";
    EXPECT_EQ(passive().post(nullptr, {&target_, 1}), Status::queue_full) << "the other one is still there";
}

TEST_F(SharedReceives, AreFlushedIfTheSenderGoesInTheMiddle) {
    proves("ND2-SRQ-FLUSH-01");
    pair_.active.connector->end(Ending::disconnect);
    let_service_thread_go();
    ASSERT_EQ(pair_.passive.sink->disconnected.wait(), Status::disconnected);
    pair_.passive.queue_pair->end(Status::canceled);
    Completion flushed[2];
    ASSERT_EQ(pair_.passive.completions->poll(flushed), 1u);
    EXPECT_EQ(flushed[0].status, Status::canceled);
    EXPECT_EQ(flushed[0].length_bytes, 0u);
    EXPECT_EQ(flushed[0].request_context, reinterpret_cast<void*>(1));
}

}  // namespace
}  // namespace opennd::test

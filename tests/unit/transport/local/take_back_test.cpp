// SPDX-License-Identifier: MIT
// Messages that a flush takes back out of the lane: messages that the peer had consumed count, the rest is passed over,
// and the wait for a peer that says it is taking one has a limit.
#include <array>
#include <chrono>
#include <memory>
#include <thread>

#include <gtest/gtest.h>

#include "support/requirement.h"
#include "transport/local/consumer.h"
#include "transport/local/ring_channel.h"

namespace opennd::local {
namespace {

// The test is the peer.
class RingTakeBackTest : public testing::Test {
protected:
    RingTakeBackTest() {
        const Ref<Arena> arena = Arena::create().take();
        auto* const lanes = arena->segment(0).lanes;
        peer_ = std::make_unique<Consumer>(lanes[0], *make_ref<LinkMemory>(nullptr, arena, 1), 0);
        peer_access_ = &lanes[1].access;
        auto reached = std::make_unique<PeerMemory>(PeerMemory::Reach::mapping_only, 0, [](std::uint32_t) {});
        channel_ = make_ref<RingChannel>(RingChannel::Parts{make_ref<LinkMemory>(nullptr, arena, 0), 0, Side::active,
                                                            &tokens_, soft::PeerTokenTable::own(tokens_), nullptr,
                                                            std::move(reached), false, 1});
    }
    ~RingTakeBackTest() override { channel_->close(); }

    soft::Ticket send() {
        const Sge sge{bytes_.data(), static_cast<std::uint32_t>(bytes_.size()), Token::none};
        const soft::StartResult result = channel_->start(
            {Operation::send, RequestFlags::inline_data, {&sge, 1}, static_cast<std::uint32_t>(bytes_.size()), 0, {}});
        EXPECT_EQ(result.start, soft::Start::in_flight);
        return result.ticket;
    }
    bool consume(FrameKind kind) {
        Consumer::Header frame;
        if (!peer_->peek(frame) || frame.kind != kind) return false;
        peer_->advance(frame);
        peer_->publish();
        return true;
    }
    bool is_finished(soft::Ticket ticket) {
        Status status = Status::success;
        channel_->peer().read_counters();
        return channel_->find_outcome(ticket, status);
    }

    soft::TokenTable tokens_ = soft::TokenTable::create().take();
    std::array<std::byte, 32> bytes_{};
    std::unique_ptr<Consumer> peer_;
    Lane::Access* peer_access_ = nullptr;
    Ref<RingChannel> channel_;
};

TEST_F(RingTakeBackTest, WhatWasConsumedCountsAndTheRestIsPassedOver) {
    support::proves("ND2-QP-FLUSH-05", "ND2-QP-ERR-02");
    const soft::Ticket first = send(), second = send(), third = send();
    ASSERT_TRUE(consume(FrameKind::send));
    ASSERT_TRUE(channel_->access().stop_requests());
    Consumer::Header frame;
    EXPECT_FALSE(peer_->peek(frame)) << "held back, and in sight";
    EXPECT_TRUE(is_finished(first));
    EXPECT_FALSE(is_finished(second));
    EXPECT_FALSE(is_finished(third));
    channel_->access().show_as_taken_back();
    EXPECT_TRUE(consume(FrameKind::withdrawn));
    EXPECT_TRUE(consume(FrameKind::withdrawn));
    EXPECT_FALSE(peer_->peek(frame));
}

TEST_F(RingTakeBackTest, WaitsForAPeerThatSaysItIsTakingNoLongerThanItsPatience) {
    support::proves("ND2-QP-FLUSH-05");
    const soft::Ticket ticket = send();
    peer_access_->taking.store(1);
    const auto start = std::chrono::steady_clock::now();
    EXPECT_FALSE(channel_->access().stop_requests()) << "a call waits for nobody";
    while (!channel_->access().stop_requests()) std::this_thread::yield();
    const std::chrono::duration<double> waited = std::chrono::steady_clock::now() - start;
    EXPECT_GT(waited.count(), 1) << "a peer in the middle was not waited for";
    EXPECT_LT(waited.count(), 10);
    EXPECT_FALSE(is_finished(ticket));
    channel_->access().show_as_taken_back();
    Consumer::Header frame;
    EXPECT_FALSE(peer_->peek(frame)) << "whatever the peer does next, it sees nothing of what was canceled";
}

}  // namespace
}  // namespace opennd::local

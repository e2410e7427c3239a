// SPDX-License-Identifier: MIT
// Long Sends that the sender places into the receive that its peer has shown: what is shown, what is placed, and what a flush
// waits for. The test is the peer.
#include <algorithm>
#include <chrono>
#include <cstring>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "ring_receiver.h"
#include "support/absent_pages.h"
#include "support/kernel_limits.h"
#include "support/requirement.h"
#include "transport/local/placing_choice.h"

namespace opennd::local {
namespace {

using std::chrono::nanoseconds;
using support::proves;

constexpr std::uint32_t kLong = 100'000;

class Placing : public RingReceiver {
protected:
    Placing() : RingReceiver(true) {
        for (std::size_t i = 0; i < own_.size(); ++i) own_[i] = static_cast<std::byte>(i * 7 + (i >> 8));
        own_region_ = adapter_->register_memory(own_.data(), own_.size(), Access::local_write).take();
        const auto address = reinterpret_cast<std::uint64_t>(peers_.data());
        peer_tokens_ = sender_tokens_.reserve({address, kLong, Access::local_write, {}}).value();
        sender_tokens_.enable(peer_tokens_);
    }
    ~Placing() override {
        channel_->end_peer();
        queue_pair_->end(Status::canceled);
        own_region_->deregister();
    }

    void post(Operation operation, std::uint32_t bytes) {
        const Sge sge{own_.data(), bytes, own_region_->local_token()};
        WorkRequest request;
        request.operation = operation;
        request.sges = {&sge, 1};
        ASSERT_EQ(queue_pair_->post(request), Status::success);
    }
    // The peer shows a receive for the message behind `message` frames of this side.
    void show(std::uint32_t message, std::uint32_t bytes = kLong) {
        const ShownReceive shown{reinterpret_cast<std::uint64_t>(peers_.data()), bytes, value(peer_tokens_.remote),
                                 message, 0};
        std::memcpy(sender_->reserve(sizeof shown), &shown, sizeof shown);
        sender_->publish({FrameKind::receive_shown, kFirst | kLast, sizeof shown, sizeof shown}, 0);
        EXPECT_EQ(poll(), 0u);
    }
    // The peer streams a message.
    void stream(std::uint32_t bytes) {
        for (std::uint32_t at = 0; at < bytes; at += kMostPayload) {
            const std::uint32_t part = std::min(kMostPayload, bytes - at);
            const auto flags = static_cast<std::uint8_t>((at == 0 ? kFirst : 0) | (at + part == bytes ? kLast : 0));
            say({FrameKind::send, flags, part, bytes});
        }
    }
    // The next frame of this side; none: nothing.
    std::optional<FrameKind> take_frame() {
        Consumer::Header frame;
        if (!asked_->peek(frame)) return std::nullopt;
        newest_length_ = frame.length;
        newest_total_ = frame.total();
        if (frame.kind == FrameKind::receive_shown) std::memcpy(&newest_shown_, frame.payload, sizeof newest_shown_);
        asked_->advance(frame);
        asked_->publish();
        return frame.kind;
    }
    bool placed() const { return peers_ == own_; }

    std::vector<std::byte> own_ = std::vector<std::byte>(kLong), peers_ = std::vector<std::byte>(kLong);
    Ref<TransportMemory> own_region_;
    soft::TokenTable::Tokens peer_tokens_{};
    std::uint32_t newest_length_ = 0, newest_total_ = 0;
    ShownReceive newest_shown_{};
};

TEST_F(Placing, PutsAMessageIntoTheShownReceiveInOneFrame) {
    proves("ND2-QP-SEND-01", "ND2-QP-SEND-02");
    if (const std::string reason = support::copies_between_no_processes(); !reason.empty()) GTEST_SKIP() << reason;
    show(0);
    post(Operation::send, kLong);
    EXPECT_TRUE(placed());
    EXPECT_EQ(lanes_[0].access.placing.load(), 0u);
    EXPECT_EQ(lanes_[0].access.token.load(), 0u);
    EXPECT_EQ(poll(), 0u) << "the peer has not taken it";
    EXPECT_EQ(take_frame(), FrameKind::placed);
    EXPECT_EQ(newest_total_, kLong);
    EXPECT_EQ(take_frame(), std::nullopt);
    ASSERT_EQ(poll(), 1u);
    EXPECT_EQ(completion_.status, Status::success);
}

TEST_F(Placing, IsForTheOneMessageThatTheReceiveWaitsFor) {
    show(0);
    post(Operation::send, 8);
    post(Operation::send, kLong);
    EXPECT_EQ(take_frame(), FrameKind::send);
    EXPECT_EQ(take_frame(), FrameKind::send);
    EXPECT_EQ(newest_length_, kMostPayload);
    EXPECT_EQ(peers_, std::vector<std::byte>(kLong));
}

TEST_F(Placing, IsLeftOutWhereTheReceiveIsTooShort) {
    show(0, kLong - 1);
    post(Operation::send, kLong);
    EXPECT_EQ(take_frame(), FrameKind::send);
    EXPECT_EQ(peers_, std::vector<std::byte>(kLong));
}

TEST_F(Placing, IsLeftOutWhereTheReceiveIsNotRegisteredAnyMore) {
    show(0);
    sender_tokens_.remove(peer_tokens_.local);
    post(Operation::send, kLong);
    EXPECT_EQ(take_frame(), FrameKind::send);
    EXPECT_EQ(peers_, std::vector<std::byte>(kLong));
}

TEST_F(Placing, IsLeftOutWhereTheReceivesWereFlushed) {
    proves("ND2-QP-FLUSH-05");
    show(0);
    lanes_[0].wishes.receives_closed.store(1);
    post(Operation::send, kLong);
    EXPECT_EQ(take_frame(), FrameKind::send);
    EXPECT_EQ(peers_, std::vector<std::byte>(kLong));
}

TEST_F(Placing, OfMemoryThatIsNotThereIsStreamed) {
    const ShownReceive shown{1, kLong, value(sender_tokens_.reserve({1, kLong, Access::none, {}}).value().remote), 0,
                             0};
    std::memcpy(sender_->reserve(sizeof shown), &shown, sizeof shown);
    sender_->publish({FrameKind::receive_shown, kFirst | kLast, sizeof shown, sizeof shown}, 0);
    EXPECT_EQ(poll(), 0u);
    post(Operation::send, kLong);
    EXPECT_EQ(take_frame(), FrameKind::send);
}

// docs/decisions/0033: the poster alone waits, and holds no lock.
TEST_F(Placing, IntoAPageThatDoesNotComeHoldsUpThePosterAlone) {
    proves("ND2-OVL-24");
    if (const std::string reason = support::AbsentPages::unavailable(); !reason.empty()) GTEST_SKIP() << reason;
    post_receive();
    show(0);
    std::optional<support::AbsentPages> pages(peers_);
    std::thread poster([this] { post(Operation::send, kLong); });
    EXPECT_TRUE(pages->are_waited_for());
    EXPECT_EQ(lanes_[0].access.placing.load(), 1u);
    say({FrameKind::send, kFirst | kLast, 8, 8});
    ASSERT_EQ(poll(), 1u);
    EXPECT_EQ(completion_.operation, Operation::receive);
    pages.reset();
    poster.join();
    EXPECT_EQ(take_frame(), FrameKind::placed);
}

TEST_F(Placing, IsOfferedByTheReceiveBehindALongMessage) {
    if (const std::string reason = support::copies_between_no_processes(); !reason.empty()) GTEST_SKIP() << reason;
    post(Operation::receive, kLong);
    post(Operation::receive, kLong - 1);
    stream(kLong);
    ASSERT_EQ(poll(), 1u);
    EXPECT_EQ(completion_.length_bytes, kLong);
    ASSERT_EQ(take_frame(), FrameKind::receive_shown);
    EXPECT_EQ(newest_shown_.address, reinterpret_cast<std::uint64_t>(own_.data()));
    EXPECT_EQ(newest_shown_.length, kLong - 1);
    soft::MemoryGrant grant;
    ASSERT_TRUE(adapter_->tokens().find_remote(static_cast<Token>(newest_shown_.token), grant));
    EXPECT_EQ(newest_shown_.message, sender_->next());
    // What the peer places completes that receive, and the frames that show receives do not count.
    show(0);
    post(Operation::receive, kLong);
    say({FrameKind::placed, kFirst | kLast, 0, kLong - 1});
    ASSERT_EQ(poll(), 1u);
    EXPECT_EQ(completion_.status, Status::success);
    EXPECT_EQ(completion_.length_bytes, kLong - 1);
    ASSERT_EQ(take_frame(), FrameKind::receive_shown);
    EXPECT_EQ(newest_shown_.message, sender_->next() - 1);
    post(Operation::send, kLong);
    EXPECT_EQ(take_frame(), FrameKind::placed) << "frames that show receives are no messages of this side";
}

TEST_F(Placing, IsNotOfferedBehindAShortMessageToASleeperOrForShortReceives) {
    post(Operation::receive, kLong);
    post(Operation::receive, kLong);
    say({FrameKind::send, kFirst | kLast, 8, 8});
    ASSERT_EQ(poll(), 1u);
    lanes_[0].wishes.attention.store(static_cast<std::uint32_t>(soft::Attention::asleep));
    stream(kLong);
    ASSERT_EQ(poll(), 1u);
    lanes_[0].wishes.attention.store(static_cast<std::uint32_t>(soft::Attention::polling));
    post(Operation::receive, kLong);
    post(Operation::receive, soft::kLongCopyBytes);
    stream(kLong);
    ASSERT_EQ(poll(), 1u);
    EXPECT_EQ(take_frame(), std::nullopt);
}

TEST_F(Placing, WithoutAShownReceiveEndsTheConnection) {
    post(Operation::receive, kLong);
    say({FrameKind::placed, kFirst | kLast, 0, kLong});
    ASSERT_EQ(poll(), 1u);
    EXPECT_EQ(completion_.status, Status::canceled);
    EXPECT_EQ(refusal(), Status::remote_data_error);
}

TEST_F(Placing, ByAPeerOfMoreThanTheReceiveHasRoomForIsRefused) {
    proves("ND2-QP-SEND-07");
    post(Operation::receive, kLong);
    post(Operation::receive, kLong - 1);
    stream(kLong);
    ASSERT_EQ(poll(), 1u);
    say({FrameKind::placed, kFirst | kLast, 0, kLong});
    ASSERT_EQ(poll(), 1u);
    EXPECT_EQ(completion_.status, Status::receive_too_small);
    EXPECT_EQ(refusal(), Status::remote_data_error);
}

TEST_F(Placing, AShownReceiveOfAnotherLengthOfFrameEndsTheConnection) {
    say({FrameKind::receive_shown, kFirst | kLast, sizeof(ShownReceive) - 1, 0});
    EXPECT_EQ(poll(), 0u);
    EXPECT_EQ(refusal(), Status::remote_data_error);
}

TEST_F(Placing, IsWaitedForByAFlushNoLongerThanItsPatience) {
    proves("ND2-QP-FLUSH-05");
    post(Operation::receive, kLong);
    post(Operation::receive, kLong);
    stream(kLong);
    ASSERT_EQ(poll(), 1u);
    lanes_[1].access.placing.store(1);
    EXPECT_FALSE(channel_->access().stop_requests()) << "a call waits for nobody";
    EXPECT_EQ(lanes_[1].wishes.receives_closed.load(), 1u);
    lanes_[1].access.placing.store(0);
    EXPECT_TRUE(channel_->access().stop_requests());
    lanes_[1].access.placing.store(1);
    while (!channel_->access().stop_requests()) std::this_thread::yield();
    EXPECT_EQ(lanes_[1].access.placing.load(), 1u);
}

TEST(PlacingChoice, IsByTheKernelsTimeOfACopy) {
    EXPECT_TRUE(choice_by_times({nanoseconds(2900), nanoseconds(1300)}).placed);
    EXPECT_TRUE(choice_by_times({nanoseconds(3000), nanoseconds(1000)}).placed);
    EXPECT_FALSE(choice_by_times({nanoseconds(9900), nanoseconds(1470)}).placed);
    EXPECT_FALSE(choice_by_times({nanoseconds::max(), nanoseconds(1000)}).placed);
    const Choice seen = shown(choice_by_times({nanoseconds(2900), nanoseconds(1300)}));
    EXPECT_EQ(seen.value, "placed by the sender");
    EXPECT_EQ(seen.reason,
              "64 KiB took, in nanoseconds: the kernel 2900, a copy 1300; two ends that stream take some 3 copies");
    EXPECT_EQ(seen.setting, "OPENND_SHM_LONG_SENDS");
    EXPECT_EQ(shown(choice_by_times({nanoseconds::max(), nanoseconds(1)})).reason,
              "the kernel refuses to copy between processes");
}

TEST(PlacingChoice, IsMadeOnceAProcess) {
    const PlacingChoice& choice = placing_choice();
    pin_placing(!choice.placed);
    EXPECT_EQ(&placing_choice(), &choice);
}

TEST(PlacingChoice, TimesBothCopiesByTheClock) {
    int asked = 0;
    const PlacingTimes times = time_placing([&asked] { return SteadyTime(nanoseconds(100 * ++asked)); });
    EXPECT_EQ(times.by_process, nanoseconds(100));
    EXPECT_TRUE(times.by_kernel == nanoseconds(100) || times.by_kernel == nanoseconds::max());
}

}  // namespace
}  // namespace opennd::local

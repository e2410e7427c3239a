// SPDX-License-Identifier: MIT
// Messages that the receiver fetches out of memory it maps: at once, when the segment comes, or never if it cannot be.
#include <array>
#include <cstring>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "connected_pair.h"
#include "transport/local/producer.h"
#include "transport/local/ring_channel.h"
#include "transport/soft/adapter.h"
#include "transport/soft/queue_pair.h"

namespace opennd::local {
namespace {

// The receiver is a queue pair, which can reach the sender's memory by mapping only; the test is the sender.
class FetchTest : public testing::Test {
protected:
    static constexpr std::uint32_t kSegment = 7;
    static constexpr std::size_t kSegmentBytes = 65536;
    static constexpr std::uint32_t kMessageBytes = 4096;

    FetchTest() {
        wires_.push_back(std::make_unique<shm::ShmWire>());
        transport_ = std::make_unique<soft::SoftTransport>(loop_, memory_, std::move(wires_));
        adapter_ = Ref<soft::SoftAdapter>(static_cast<soft::SoftAdapter*>(transport_->open(Interface{}).take().get()));
        completions_ = adapter_->create_completion_queue(4, NotifyRule::level, events_).take();
        queue_pair_ = Ref<soft::SoftQueuePair>(static_cast<soft::SoftQueuePair*>(
            adapter_->create_queue_pair({{4, 4, 4, 4, 0}, completions_, completions_, nullptr}).take().get()));

        SharedMemory segment = SharedMemory::create("test-segment", sizeof(Segment)).take();
        auto* const lanes = reinterpret_cast<Segment*>(segment.data())->lanes;
        sender_ = std::make_unique<Producer>(lanes[1]);
        auto reached = std::make_unique<PeerMemory>(PeerMemory::Reach::mapping_only, 0,
                                                    [this](std::uint32_t wanted) { asked_for_ = wanted; });
        channel_ = make_ref<RingChannel>(RingChannel::Parts{std::move(segment), Side::active, &adapter_->tokens(),
                                                            soft::PeerTokenTable::own(sender_tokens_), nullptr,
                                                            std::move(reached), false, 1});
        EXPECT_TRUE(queue_pair_->attach(Ref<soft::Channel>(channel_), nullptr, {4, 4}));
        region_ = adapter_->register_memory(received_.data(), received_.size(), Access::local_write | Access::read_sink)
                      .take();
    }
    ~FetchTest() override {
        channel_->peer_gone();
        queue_pair_->connection_ended();
        region_->deregister();
        queue_pair_->close();
        completions_->close();
    }

    void post_receive() {
        const Sge sge{received_.data(), kMessageBytes, region_->local_token()};
        WorkRequest request;
        request.operation = Operation::receive;
        request.sges = {&sge, 1};
        ASSERT_EQ(queue_pair_->post(request), Status::success);
    }
    // The sender's region, as its token table tells of it, begins at `offset` of the segment.
    void offer(std::uint64_t offset) {
        constexpr std::uint64_t kAddress = 0x10000;
        const auto tokens =
            sender_tokens_.reserve({kAddress, kMessageBytes, Access::remote_read, {kSegment, offset}}).value();
        sender_tokens_.enable(tokens);
        const PullPiece piece{kAddress, kMessageBytes, value(tokens.remote)};
        std::memcpy(sender_->reserve(sizeof piece), &piece, sizeof piece);
        sender_->publish({FrameKind::pull, kFirst | kLast, sizeof piece, kMessageBytes}, 0);
    }
    // A Read of memory that cannot be mapped: the sender is asked for its octets.
    void post_read(std::uint32_t bytes) {
        constexpr std::uint64_t kAddress = 0x20000;
        const auto tokens = sender_tokens_.reserve({kAddress, kMessageBytes, Access::remote_read, {}}).value();
        sender_tokens_.enable(tokens);
        const Sge sge{received_.data(), bytes, region_->local_token()};
        WorkRequest request;
        request.operation = Operation::read;
        request.sges = {&sge, 1};
        request.remote_address = kAddress;
        request.remote_token = tokens.remote;
        ASSERT_EQ(queue_pair_->post(request), Status::success);
    }
    void answer(std::uint8_t flags, std::uint32_t bytes) {
        std::memset(sender_->reserve(bytes), 0x5a, bytes);
        sender_->publish({FrameKind::read_reply, flags, bytes, bytes}, 0);
    }
    void give_segment() {
        SharedMemory segment = SharedMemory::create("test-memory", kSegmentBytes).take();
        std::memset(segment.data(), 0x5a, segment.size());
        ASSERT_TRUE(channel_->peer_memory().add(kSegment, std::move(segment)));
    }
    // One look; nothing waits for anything.
    std::size_t poll() {
        (void)queue_pair_->serve();
        return completions_->poll({&completion_, 1});
    }
    Status refusal() {
        sender_->refresh();
        std::uint32_t frame = 0, reason = 0;
        return sender_->refusal(frame, reason) ? static_cast<Status>(reason) : Status::success;
    }

    EventLoop loop_;
    MappableMemory memory_;
    std::vector<std::unique_ptr<soft::Wire>> wires_;
    std::unique_ptr<soft::SoftTransport> transport_;
    Ref<soft::SoftAdapter> adapter_;
    test::CountingSink events_;
    Ref<TransportCompletionQueue> completions_;
    Ref<soft::SoftQueuePair> queue_pair_;
    soft::TokenTable sender_tokens_ = soft::TokenTable::create().take();
    std::unique_ptr<Producer> sender_;
    Ref<RingChannel> channel_;
    std::uint32_t asked_for_ = 0;
    std::vector<std::byte> received_ = std::vector<std::byte>(kMessageBytes);
    Ref<TransportMemory> region_;
    Completion completion_;
};

TEST_F(FetchTest, WaitsForASegmentThatIsNotMappedYet) {
    post_receive();
    offer(kSegmentBytes - kMessageBytes);
    EXPECT_EQ(poll(), 0u);
    EXPECT_EQ(asked_for_, kSegment);
    EXPECT_EQ(refusal(), Status::success);
    give_segment();
    ASSERT_EQ(poll(), 1u);
    EXPECT_EQ(completion_.status, Status::success);
    EXPECT_EQ(completion_.length_bytes, kMessageBytes);
    EXPECT_EQ(received_, std::vector<std::byte>(kMessageBytes, std::byte{0x5a}));
}

TEST_F(FetchTest, TakenBackWhileItWaitsIsPassedOverAndLeavesTheReceiveToTheNext) {
    post_receive();
    offer(0);
    EXPECT_EQ(poll(), 0u);
    sender_->hide_unconsumed();
    give_segment();
    EXPECT_EQ(poll(), 0u);
    EXPECT_EQ(received_, std::vector<std::byte>(kMessageBytes));
    sender_->show_unconsumed();
    EXPECT_EQ(poll(), 0u);
    offer(0);
    ASSERT_EQ(poll(), 1u);
    EXPECT_EQ(completion_.status, Status::success);
    EXPECT_EQ(refusal(), Status::success);
}

TEST_F(FetchTest, OutsideItsSegmentIsRefusedAtOnce) {
    give_segment();
    post_receive();
    offer(kSegmentBytes - kMessageBytes + 1);
    ASSERT_EQ(poll(), 1u);
    EXPECT_EQ(completion_.status, Status::canceled);  // the receive: no message came for it
    EXPECT_EQ(refusal(), Status::access_violation);
    EXPECT_EQ(received_, std::vector<std::byte>(kMessageBytes));
}

TEST_F(FetchTest, OutsideASegmentThatComesIsRefusedThen) {
    post_receive();
    offer(kSegmentBytes);
    EXPECT_EQ(poll(), 0u);
    EXPECT_EQ(refusal(), Status::success);
    give_segment();
    ASSERT_EQ(poll(), 1u);
    EXPECT_EQ(refusal(), Status::access_violation);
}

TEST_F(FetchTest, AReadIsCompleteWithItsLastOctet) {
    post_read(16);
    answer(kFirst, 8);
    EXPECT_EQ(poll(), 0u);
    answer(kLast, 8);
    ASSERT_EQ(poll(), 1u);
    EXPECT_EQ(completion_.status, Status::success);
}

TEST_F(FetchTest, AReadOfWhichTooLittleComesFails) {
    post_read(16);
    answer(kFirst | kLast, 8);
    ASSERT_EQ(poll(), 1u);
    EXPECT_NE(completion_.status, Status::success);
    EXPECT_TRUE(channel_->broken());
}

}  // namespace
}  // namespace opennd::local

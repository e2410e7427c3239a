// SPDX-License-Identifier: MIT
// A queue pair that receives over the local wire; the test is the peer, frame by frame.
#pragma once

#include <bit>
#include <cstring>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "platform/memory/process_memory.h"
#include "transport/local/consumer.h"
#include "transport/local/producer.h"
#include "transport/local/ring_channel.h"
#include "transport/soft/adapter.h"
#include "transport/soft/queue_pair/queue_pair.h"
#include "unit/transport/connected_pair.h"

namespace opennd::local {

// The receiver is a queue pair, which can reach the sender's memory by mapping only, unless it `places` long Sends: then the
// kernel copies, too. The test is the sender, in the same process.
class RingReceiver : public testing::Test {
protected:
    static constexpr std::uint32_t kSegment = 7;
    static constexpr std::size_t kSegmentBytes = 65536;
    static constexpr std::uint32_t kMessageBytes = 4096;

    explicit RingReceiver(bool places = false) {
        wires_.push_back(std::make_unique<shm::ShmWire>());
        transport_ = std::make_unique<soft::SoftTransport>(loop_, memory_, std::move(wires_));
        adapter_ = Ref<soft::SoftAdapter>(
            static_cast<soft::SoftAdapter*>(transport_->open(Interface{}, Face::nd2).take().get()));
        completions_ = adapter_->create_completion_queue(4, NotifyRule::level, events_).take();
        queue_pair_ = Ref<soft::SoftQueuePair>(static_cast<soft::SoftQueuePair*>(
            adapter_->create_queue_pair({{4, 4, 4, 4, 0}, completions_, completions_, nullptr}).take().get()));

        const Ref<Arena> arena = Arena::create().take();
        lanes_ = arena->segment(0).lanes;
        const auto sender_memory = make_ref<LinkMemory>(nullptr, arena, 1);
        frames_ = &arena->frames(1);
        sender_ = std::make_unique<Producer>(lanes_[1], *sender_memory, 0);
        asked_ = std::make_unique<Consumer>(lanes_[0], *sender_memory, 0);
        auto reached =
            std::make_unique<PeerMemory>(places ? PeerMemory::Reach::process_vm : PeerMemory::Reach::mapping_only,
                                         own_process(), [this](std::uint32_t wanted) {
                                             asked_for_ = wanted;
                                             fetching_ = lanes_[0].access.fetching.load();
                                         });
        RingChannel::Parts parts{make_ref<LinkMemory>(nullptr, arena, 0),
                                 0,
                                 Side::active,
                                 &adapter_->tokens(),
                                 soft::PeerTokenTable::own(sender_tokens_),
                                 nullptr,
                                 std::move(reached),
                                 false,
                                 1};
        parts.places = places;
        channel_ = make_ref<RingChannel>(std::move(parts));
        EXPECT_TRUE(queue_pair_->attach(Ref<soft::Channel>(channel_), nullptr, {4, 4}));
        region_ = adapter_->register_memory(received_.data(), received_.size(), Access::local_write | Access::read_sink)
                      .take();
    }
    ~RingReceiver() override {
        channel_->end_peer();
        queue_pair_->end(Status::canceled);
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
    static constexpr std::uint64_t kAddress = 0x10000;
    soft::TokenTable::Tokens region_at(std::uint64_t offset) {
        const auto tokens =
            sender_tokens_.reserve({kAddress, kMessageBytes, Access::remote_read, {kSegment, offset}}).value();
        sender_tokens_.enable(tokens);
        return tokens;
    }
    void offer_piece(const PullPiece& piece, std::uint8_t flags = 0) {
        std::memcpy(sender_->reserve(sizeof piece), &piece, sizeof piece);
        sender_->publish(
            {FrameKind::pull, static_cast<std::uint8_t>(kFirst | kLast | flags), sizeof piece, piece.length}, 0);
    }
    // All of such a region.
    void offer(std::uint64_t offset, std::uint8_t flags = 0) {
        offer_piece({kAddress, kMessageBytes, value(region_at(offset).remote)}, flags);
    }
    // A frame with `bytes` of `content`.
    void say(const Producer::Header& header, std::byte content = std::byte{0x5a}) {
        std::memset(sender_->reserve(header.length), std::to_integer<int>(content), header.length);
        sender_->publish(header, 0);
    }
    // The first frame, which names a chunk, or more than the chunk has.
    void say_of_chunk(std::uint16_t length, std::uint16_t chunk) {
        ASSERT_EQ(sender_->publish({FrameKind::send, kFirst | kLast, 8, 8}, 0), 0u);
        frames_->at(0).extent.store(std::bit_cast<std::uint64_t>(FrameExtent{length, chunk, 0}));
    }
    // A Read of memory that cannot be mapped: the sender is asked for its octets.
    void post_read(std::uint32_t bytes) {
        constexpr std::uint64_t kUnmapped = 0x20000;
        const auto tokens = sender_tokens_.reserve({kUnmapped, kMessageBytes, Access::remote_read, {}}).value();
        sender_tokens_.enable(tokens);
        const Sge sge{received_.data(), bytes, region_->local_token()};
        WorkRequest request;
        request.operation = Operation::read;
        request.sges = {&sge, 1};
        request.remote_address = kUnmapped;
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
    Lane* lanes_ = nullptr;            // the receiver's, then the sender's
    Frames* frames_ = nullptr;         // the sender's
    std::unique_ptr<Consumer> asked_;  // the receiver's question
    std::uint32_t asked_for_ = 0;      // a segment
    std::uint32_t fetching_ = 0;       // the token through which the receiver fetched when it asked
    std::vector<std::byte> received_ = std::vector<std::byte>(kMessageBytes);
    Ref<TransportMemory> region_;
    Completion completion_;
};

}  // namespace opennd::local

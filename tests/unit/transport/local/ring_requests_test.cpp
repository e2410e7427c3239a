// SPDX-License-Identifier: MIT
// Requests on their way out over the local wire, beside messages that the peer has not taken, has refused, or never
// will take.
#include <sys/mman.h>

#include <array>
#include <cstring>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "platform/memory/guarded_copy.h"
#include "support/requirement.h"
#include "transport/local/consumer.h"
#include "transport/local/ring_channel.h"

namespace opennd::local {
namespace {

using soft::Start;
using support::proves;

// The test is the peer; its memory is one mapped segment.
class RingRequests : public testing::Test {
protected:
    static constexpr std::uint32_t kSegment = 7;
    static constexpr std::uint64_t kAddress = 0x10000;
    static constexpr std::uint32_t kBytes = 32;

    RingRequests() {
        lanes_ = arena_->segment(0).lanes;
        auto reached = std::make_unique<PeerMemory>(PeerMemory::Reach::mapping_only, 0, [](std::uint32_t) {});
        channel_ = make_ref<RingChannel>(RingChannel::Parts{make_ref<LinkMemory>(nullptr, arena_, 0), 0, Side::active,
                                                            &tokens_, soft::PeerTokenTable::own(peer_tokens_), nullptr,
                                                            std::move(reached), false, 1});
        SharedMemory memory = SharedMemory::create("test-memory", 65536).take();
        memory_ = memory.data();
        EXPECT_NE(channel_->peer_memory().find(kAddress, kBytes, {kSegment, 0}), memory_) << "asks for it";
        EXPECT_TRUE(channel_->peer_memory().add(kSegment, std::move(memory)));
    }
    ~RingRequests() override { channel_->close(); }

    // A region of the peer's that begins there in its segment.
    Token region_at(std::uint64_t offset, std::uint32_t segment = kSegment) {
        const auto tokens =
            peer_tokens_
                .reserve({kAddress + offset, kBytes, Access::remote_read | Access::remote_write, {segment, offset}})
                .value();
        peer_tokens_.enable(tokens);
        newest_ = tokens.local;
        return tokens.remote;
    }
    soft::OutboundRequest request(Operation operation, std::uint32_t bytes, Token token = Token::none,
                                  std::uint64_t offset = 0) {
        return {operation, RequestFlags::inline_data, {&sge_, 1}, bytes, kAddress + offset, token};
    }
    soft::Ticket send() {
        const soft::StartResult result = channel_->start(request(Operation::send, kBytes));
        EXPECT_EQ(result.start, Start::in_flight);
        return result.ticket;
    }
    // The peer's report of its progress, true or not.
    void tell(std::uint32_t consumed, std::uint32_t refused, std::uint32_t reason) {
        lanes_[0].counters.consumed.store(consumed);
        lanes_[0].counters.refusal.store(reason);
        lanes_[0].counters.refused.store(refused);
        channel_->peer().read_counters();
    }
    static constexpr auto kTimedOut = static_cast<std::uint32_t>(Status::timed_out);

    soft::TokenTable tokens_ = soft::TokenTable::create().take(), peer_tokens_ = soft::TokenTable::create().take();
    std::array<std::byte, kBytes> bytes_{std::byte{9}};
    const Sge sge_{bytes_.data(), kBytes, Token::none};
    Token newest_ = Token::none;  // region, as the peer knows it
    Lane* lanes_ = nullptr;
    std::byte* memory_ = nullptr;
    const Ref<Arena> arena_ = Arena::create().take();
    Consumer peer_{arena_->segment(0).lanes[0], *make_ref<LinkMemory>(nullptr, arena_, 1), 0};
    Ref<RingChannel> channel_;
};

TEST_F(RingRequests, AShortWriteDoesNotOvertakeAMessage) {
    proves("ND2-QP-POST-11");
    const Token token = region_at(0);
    (void)send();
    EXPECT_FALSE(channel_->carry_out(request(Operation::write, kBytes, token)));
    EXPECT_EQ(channel_->start(request(Operation::write, kBytes, token)).start, Start::blocked);
    EXPECT_EQ(memory_[0], std::byte{0});
    tell(1, 0, 0);
    EXPECT_TRUE(channel_->carry_out(request(Operation::write, kBytes, token)));
    EXPECT_EQ(memory_[0], std::byte{9});
}

TEST_F(RingRequests, EachTokenNamesItsOwnMemory) {
    const Token first = region_at(0), second = region_at(1024);
    EXPECT_TRUE(channel_->carry_out(request(Operation::write, kBytes, first)));
    EXPECT_TRUE(channel_->carry_out(request(Operation::write, kBytes, second, 1024)));
    EXPECT_EQ(memory_[1024], std::byte{9});
    EXPECT_FALSE(channel_->carry_out(request(Operation::write, kBytes, first, 1024))) << "beyond it";
}

// One copy for each entry, and no frame.
TEST_F(RingRequests, AWriteOfSeveralEntriesGoesStraightIntoThePeersMemory) {
    const std::array<Sge, 2> halves{Sge{bytes_.data(), kBytes / 2, Token::none},
                                    Sge{bytes_.data() + kBytes / 2, kBytes / 2, Token::none}};
    bytes_.fill(std::byte{7});
    soft::OutboundRequest write = request(Operation::write, kBytes, region_at(0));
    write.sges = halves;
    EXPECT_TRUE(channel_->carry_out(write));
    EXPECT_EQ(std::memcmp(memory_, bytes_.data(), kBytes), 0);
    Consumer::Header frame;
    EXPECT_FALSE(peer_.peek(frame));
}

// Memory that the peer maps nowhere here is reached by frames.
TEST_F(RingRequests, MemoryThatIsGoneFailsItsOwnRequestAlone) {
    proves("ND2-MR-REG-07");
    guard_copies();
    void* const gone = ::mmap(nullptr, kBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(gone, MAP_FAILED);
    const Sge none{static_cast<std::byte*>(gone), kBytes, Token::none};
    soft::OutboundRequest write = request(Operation::write, kBytes, region_at(0));
    write.sges = {&none, 1};
    const soft::StartResult failed = channel_->start(write);
    EXPECT_EQ(failed.start, Start::done);
    EXPECT_EQ(failed.status, Status::access_violation);
    EXPECT_EQ(channel_->start(request(Operation::write, kBytes, region_at(0, kSegment + 1))).start, Start::in_flight);
    ::munmap(gone, kBytes);
}

TEST_F(RingRequests, OfManyFramesCountEachWithItsHeader) {
    constexpr std::uint32_t kThreeFrames = 3 * kMostPayload - 100;
    std::vector<std::byte> message(kThreeFrames);
    const Sge entry{message.data(), kThreeFrames, Token::none};
    soft::OutboundRequest send = request(Operation::send, kThreeFrames);
    send.sges = {&entry, 1};
    ASSERT_EQ(channel_->start(send).start, Start::in_flight);
    const Traffic traffic = channel_->traffic().read();
    EXPECT_EQ(traffic.frames_out, 3u);
    EXPECT_EQ(traffic.octets_out, kThreeFrames + 3 * kFrameHeaderBytes);
}

TEST_F(RingRequests, ATokenThatDiedIsNotUsedOnceMore) {
    proves("ND2-MR-DEREG-02");
    const Token token = region_at(0);
    EXPECT_TRUE(channel_->carry_out(request(Operation::write, kBytes, token)));
    memory_[0] = std::byte{0};
    peer_tokens_.remove(newest_);
    EXPECT_FALSE(channel_->carry_out(request(Operation::write, kBytes, token)));
    EXPECT_EQ(channel_->start(request(Operation::write, kBytes, token)).status, Status::remote_access_violation);
    EXPECT_EQ(memory_[0], std::byte{0});
}

TEST_F(RingRequests, NothingGoesToAPeerThatLeft) {
    proves("ND1-EP-GEN-21");
    const Token token = region_at(0);
    channel_->keep_out_of_peer();
    EXPECT_FALSE(channel_->carry_out(request(Operation::write, kBytes, token)));
    EXPECT_EQ(channel_->start(request(Operation::write, kBytes, token)).start, Start::blocked);
    EXPECT_EQ(channel_->start(request(Operation::read, kBytes, token)).start, Start::blocked);
    EXPECT_EQ(memory_[0], std::byte{0});
}

TEST_F(RingRequests, NothingGoesToAPeerWhoseQueuePairIsClosed) {
    proves("ND2-MR-DEREG-02");
    const Token token = region_at(0);
    lanes_[0].wishes.closed = 1;
    EXPECT_FALSE(channel_->carry_out(request(Operation::write, kBytes, token)));
    EXPECT_EQ(channel_->start(request(Operation::write, kBytes, token)).start, Start::blocked);
    EXPECT_EQ(memory_[0], std::byte{0});
}

TEST_F(RingRequests, AClosedQueuePairIsRidOfItsPeerOnceThatIsInNoAccess) {
    proves("ND2-MR-DEREG-02");
    Lane::Access& access = lanes_[1].access;
    access.token = 5;
    EXPECT_FALSE(channel_->access().exclude_peer());
    EXPECT_EQ(lanes_[1].wishes.closed, 1u);
    access.token = 0;
    access.fetching = 5;
    EXPECT_FALSE(channel_->access().exclude_peer());
    access.fetching = 0;
    EXPECT_TRUE(channel_->access().exclude_peer());
}

// Only an answer tells whether the peer is there.
TEST_F(RingRequests, AReadOfNothingAsksThePeer) {
    proves("ND2-QP-RDMA-02", "ND1-EP-READ-07");
    const soft::StartResult result = channel_->start(request(Operation::read, 0, region_at(0)));
    ASSERT_EQ(result.start, Start::in_flight);
    tell(1, 0, 0);
    Status status = Status::success;
    EXPECT_FALSE(channel_->find_outcome(result.ticket, status)) << "the question was taken, and not answered";
    EXPECT_EQ(channel_->start(request(Operation::write, 0, region_at(0))).start, Start::done);
}

TEST_F(RingRequests, ARefusedMessageFailsWhatIsBehindItAndNothingBeforeIt) {
    proves("ND2-QP-SEND-05", "ND2-QP-ERR-01");
    const soft::Ticket before = send(), refused = send(), behind = send();
    tell(0, 2, kTimedOut);
    Status status = Status::success;
    EXPECT_FALSE(channel_->find_outcome(before, status));
    EXPECT_TRUE(channel_->find_outcome(refused, status));
    EXPECT_EQ(status, Status::timed_out);
    EXPECT_TRUE(channel_->find_outcome(behind, status));
    const soft::StartResult write = channel_->start(request(Operation::write, kBytes, region_at(0)));
    ASSERT_EQ(write.start, Start::in_flight) << "it never can go: its result says why";
    EXPECT_TRUE(channel_->find_outcome(write.ticket, status));
    EXPECT_EQ(status, Status::timed_out);
}

TEST_F(RingRequests, ARefusalHasAReasonThatAPeerCanHave) {
    const soft::Ticket refused = send();
    tell(0, 1, static_cast<std::uint32_t>(Status::queue_full));
    Status status = Status::success;
    EXPECT_TRUE(channel_->find_outcome(refused, status));
    EXPECT_EQ(status, Status::internal_error);
}

TEST_F(RingRequests, ThisSideRefusesOnceAndRingsASleeper) {
    proves("ND2-QP-SEND-05");
    lanes_[0].wishes.attention.store(static_cast<std::uint32_t>(soft::Attention::asleep));
    channel_->refuse(Status::timed_out);
    EXPECT_EQ(lanes_[0].wishes.attention, kAsleepRung);
    channel_->refuse(Status::remote_data_error);
    EXPECT_EQ(lanes_[1].counters.refusal, kTimedOut);
}

// A sleeper may wait for room, or for the end of the message it was taking.
TEST_F(RingRequests, AChangeOfAttentionTellsTheOneBefore) {
    proves("ND2-CQ-NTF-08");
    using Attention = soft::Attention;
    EXPECT_EQ(channel_->peer().set_attention(Attention::awake), Attention::asleep);
    EXPECT_EQ(channel_->peer().set_attention(Attention::polling), Attention::awake);
    EXPECT_EQ(channel_->peer().set_attention(Attention::asleep), Attention::awake)
        << "one side can make no heavy barrier";
    EXPECT_EQ(channel_->peer().set_attention(Attention::asleep), Attention::asleep);
}

TEST_F(RingRequests, AMessageThatIsTakenBackRingsASleeper) {
    proves("ND2-QP-FLUSH-05");
    (void)send();
    ASSERT_TRUE(channel_->access().stop_requests());
    lanes_[0].wishes.attention.store(static_cast<std::uint32_t>(soft::Attention::asleep));
    channel_->access().show_as_taken_back();
    EXPECT_EQ(lanes_[0].wishes.attention, kAsleepRung);
}

}  // namespace
}  // namespace opennd::local

// SPDX-License-Identifier: MIT
// Incoming frames, each kind by itself: the placement of bytes, the report to the sender, and the rules of the wire
// that a sender may not break.
#include <algorithm>
#include <atomic>
#include <thread>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "ring_receiver.h"
#include "support/requirement.h"

namespace opennd::local {
namespace {

using support::proves;

class RingFrames : public RingReceiver {
protected:
    static constexpr std::uint8_t kWhole = kFirst | kLast;

    void expect_broken() {
        (void)poll();
        EXPECT_TRUE(channel_->broken());
        EXPECT_EQ(queue_pair_->state(), QueuePairState::error);
    }
    Ref<TransportMemory> share(std::vector<std::byte>& memory, Access access) {
        return adapter_->register_memory(memory.data(), memory.size(), access).take();
    }
    static std::uint64_t address_of(const std::vector<std::byte>& memory) {
        return reinterpret_cast<std::uint64_t>(memory.data());
    }
};

TEST_F(RingFrames, TellWhetherTheirMessageIsSolicited) {
    proves("ND2-CQ-NTF-04");
    give_segment();
    for (const std::uint8_t flag : {std::uint8_t{0}, std::uint8_t{kSolicited}}) {
        for (int way = 0; way < 3; ++way) {
            post_receive();
            if (way == 0) say({FrameKind::send, static_cast<std::uint8_t>(kWhole | flag), 8, 8});
            if (way == 1) {
                say({FrameKind::send, kFirst, 8, 16});
                say({FrameKind::send, static_cast<std::uint8_t>(kLast | flag), 8, 16});
            }
            if (way == 2) offer(0, flag);
            ASSERT_EQ(poll(), 1u) << way;
            EXPECT_EQ(completion_.status, Status::success);
            EXPECT_EQ(completion_.solicited(), flag != 0) << way;
        }
    }
}

TEST_F(RingFrames, WithImmediateDataTellThem) {
    proves("ND2-IMM-SEND-01");
    for (const bool in_parts : {false, true}) {
        post_receive();
        if (in_parts) say({FrameKind::send_immediate, kFirst, 8, 16, 0xcafe});
        const auto flags = static_cast<std::uint8_t>(kLast | kSolicited | (in_parts ? 0 : kFirst));
        say({FrameKind::send_immediate, flags, 8, in_parts ? 16u : 8u, 0xcafe});
        ASSERT_EQ(poll(), 1u);
        EXPECT_EQ(completion_.immediate(), 0xcafeu);
        EXPECT_FALSE(has(completion_.arrival, Arrival::of_write));
        EXPECT_TRUE(completion_.solicited());
        EXPECT_EQ(completion_.length_bytes, in_parts ? 16u : 8u);
        EXPECT_EQ(completion_.invalidated, Token::none);
    }
}

TEST_F(RingFrames, OfAWriteTakeAReceiveThatKeepsItsContent) {
    proves("ND2-IMM-WRITE-01", "ND2-IMM-WRITE-02", "ND2-IMM-WRITE-03");
    say({FrameKind::written, kWhole, 0, 77, 5});
    EXPECT_EQ(poll(), 0u) << "it waits";
    post_receive();
    received_[0] = std::byte{0xee};
    ASSERT_EQ(poll(), 1u);
    EXPECT_EQ(completion_.length_bytes, 77u);
    EXPECT_EQ(completion_.immediate(), 5u);
    EXPECT_TRUE(has(completion_.arrival, Arrival::of_write));
    EXPECT_EQ(received_[0], std::byte{0xee});
}

TEST_F(RingFrames, OfAWriteHaveNoPayload) {
    post_receive();
    say({FrameKind::written, kWhole, 8, 8, 5});
    expect_broken();
}

TEST_F(RingFrames, OfAWriteMayNotComeWithinAMessage) {
    post_receive();
    say({FrameKind::send, kFirst, 8, 16});
    say({FrameKind::written, kWhole, 0, 8, 5});
    expect_broken();
}

TEST_F(RingFrames, AreTakenNoFasterThanThePollerHasRoomFor) {
    for (int message = 0; message < 3; ++message) {
        post_receive();
        say({FrameKind::send, kWhole, 8, 8});
    }
    const std::uint32_t before = channel_->taken();
    ASSERT_EQ(completions_->poll({&completion_, 1}), 1u);
    EXPECT_EQ(channel_->taken(), before + 1);
}

TEST_F(RingFrames, AreTakenWithAMarkThatGoes) {
    proves("ND2-QP-FLUSH-05");
    post_receive();
    say({FrameKind::send, kWhole, 8, 8});
    ASSERT_EQ(poll(), 1u);
    EXPECT_EQ(lanes_[0].access.taking, 0u);
}

TEST_F(RingFrames, MayNotBeLongerThanAFrameCanBe) {
    say_of_chunk(kMostPayload + 1, kChunks - 1);
    expect_broken();
}

TEST_F(RingFrames, MayNotReachBeyondTheirChunk) {
    say_of_chunk(kChunkKinds[0].payload + 1, 0);
    expect_broken();
}

TEST_F(RingFrames, MayNameNoChunkBeyondTheLast) {
    say_of_chunk(sizeof(Frame::payload) + 1, kChunks);
    expect_broken();
}

// Memory of the sender's, with whatever it has there: no other's.
TEST_F(RingFrames, OfAChunkThatIsAnotherFramesDeliverItsContent) {
    post_receive();
    say_of_chunk(kChunkKinds[0].payload, 5);
    ASSERT_EQ(poll(), 1u);
    EXPECT_EQ(completion_.status, Status::success);
    EXPECT_EQ(completion_.length_bytes, kChunkKinds[0].payload);
    EXPECT_EQ(received_[0], std::byte{});
}

TEST_F(RingFrames, OfAMessageThatWasTakenBackLeaveItsReceiveToTheNext) {
    proves("ND2-QP-FLUSH-05");
    post_receive();
    say({FrameKind::send, kFirst, 8, 16});
    EXPECT_EQ(poll(), 0u);
    say({FrameKind::withdrawn, kWhole, 0});
    say({FrameKind::send, kWhole, 4, 4});
    ASSERT_EQ(poll(), 1u);
    EXPECT_EQ(completion_.status, Status::success);
    EXPECT_EQ(completion_.length_bytes, 4u);
}

TEST_F(RingFrames, OfAMessageThatWasTakenBackWaitForNoReceive) {
    proves("ND2-QP-SEND-05", "ND2-QP-FLUSH-05");
    say({FrameKind::send, kWhole, 8, 8});
    EXPECT_EQ(poll(), 0u);
    sender_->hide_unconsumed();
    sender_->show_unconsumed();  // as withdrawn
    EXPECT_EQ(poll(), 0u);
    queue_pair_->end(Status::canceled);
    EXPECT_EQ(lanes_[1].counters.refused, 0u) << "no message waited when this side ended";
}

TEST_F(RingFrames, OfAMessageMayNotBeginWithinAnother) {
    post_receive();
    say({FrameKind::send, kFirst, 8, 16});
    say({FrameKind::send, kFirst, 8, 16});
    expect_broken();
}

TEST_F(RingFrames, OfAMessageAddUpToItsLength) {
    post_receive();
    say({FrameKind::send, kFirst, 8, 16});
    say({FrameKind::send, kLast, 4, 16});
    expect_broken();
}

TEST_F(RingFrames, WithAListHaveOneOfWholePieces) {
    give_segment();
    post_receive();
    const PullPiece piece{kAddress, kMessageBytes, value(region_at(0).remote)};
    std::byte* const payload = sender_->reserve(sizeof piece + 1);
    std::memcpy(payload, &piece, sizeof piece);
    sender_->publish({FrameKind::pull, kWhole, sizeof piece + 1, kMessageBytes}, 0);
    expect_broken();
}

TEST_F(RingFrames, WithAListOfNothingAreNone) {
    post_receive();
    sender_->publish({FrameKind::pull, kWhole, 0, 0}, 0);
    expect_broken();
}

TEST_F(RingFrames, AreFetchedFromWhereThePieceBegins) {
    constexpr std::uint32_t kSkip = 100, kBytes = 50;
    SharedMemory segment = SharedMemory::create("test-memory", kSegmentBytes).take();
    std::memset(segment.data() + kSkip, 0x77, kBytes);
    ASSERT_TRUE(channel_->peer_memory().add(kSegment, std::move(segment)));
    post_receive();
    offer_piece({kAddress + kSkip, kBytes, value(region_at(0).remote)});
    ASSERT_EQ(poll(), 1u);
    EXPECT_EQ(completion_.length_bytes, kBytes);
    EXPECT_EQ(std::count(received_.begin(), received_.begin() + kBytes, std::byte{0x77}), kBytes);
}

TEST_F(RingFrames, AreNotFetchedFromBeyondTheSendersRegion) {
    proves("ND2-QP-RDMA-04");
    give_segment();
    post_receive();
    offer_piece({kAddress + 1, kMessageBytes, value(region_at(0).remote)});
    (void)poll();
    EXPECT_EQ(refusal(), Status::access_violation);
    EXPECT_EQ(received_, std::vector<std::byte>(kMessageBytes));
}

TEST_F(RingFrames, AreNotFetchedByATokenThatIsDead) {
    proves("ND2-QP-RDMA-04");
    give_segment();
    post_receive();
    const auto tokens = region_at(0);
    offer_piece({kAddress, kMessageBytes, value(tokens.remote)});
    sender_tokens_.remove(tokens.local);
    (void)poll();
    EXPECT_EQ(refusal(), Status::access_violation);
    EXPECT_EQ(received_, std::vector<std::byte>(kMessageBytes));
}

// The sender that deregisters waits for the mark to go.
TEST_F(RingFrames, AreFetchedWithAMarkAndComeBackToIfTheSegmentIsNotThere) {
    proves("ND2-MR-DEREG-03");
    post_receive();
    const auto tokens = region_at(0);
    offer_piece({kAddress, kMessageBytes, value(tokens.remote)});
    EXPECT_EQ(poll(), 0u);
    EXPECT_EQ(fetching_, value(tokens.remote));
    EXPECT_EQ(lanes_[0].access.fetching, 0u);
    EXPECT_TRUE(channel_->receive_waits_for_peer());
}

TEST_F(RingFrames, WriteWhereThePeerMay) {
    proves("ND2-QP-RDMA-03");
    std::vector<std::byte> open(16), closed(16);
    const auto writable = share(open, Access::local_write | Access::remote_write);
    const auto readable = share(closed, Access::local_write | Access::remote_read);
    say({FrameKind::write, kWhole, 16, 16, value(writable->remote_token()), address_of(open)});
    EXPECT_EQ(poll(), 0u);
    EXPECT_EQ(open, std::vector<std::byte>(16, std::byte{0x5a}));
    say({FrameKind::write, kWhole, 16, 16, value(readable->remote_token()), address_of(closed)});
    EXPECT_EQ(poll(), 0u);
    EXPECT_EQ(closed, std::vector<std::byte>(16));
    EXPECT_EQ(refusal(), Status::remote_access_violation);
    writable->deregister();
    readable->deregister();
}

// More than the lane holds: the answer goes on as the peer takes its parts.
TEST_F(RingFrames, AnswerAReadFromItsBeginningToItsEnd) {
    proves("ND2-QP-RDMA-04");
    std::vector<std::byte> memory(3 * std::size_t{kFrames} * kMostPayload / 2);
    for (std::size_t i = 0; i < memory.size(); ++i)
        memory[i] = static_cast<std::byte>(i / kMostPayload);  // each part differs
    const auto region = share(memory, Access::remote_read);
    sender_->publish({FrameKind::read_request, kWhole, 0, static_cast<std::uint32_t>(memory.size()),
                      value(region->remote_token()), address_of(memory)},
                     0);
    std::vector<std::byte> answer;
    std::size_t turns = 0;
    for (; answer.size() < memory.size() && turns < 100; ++turns) {
        EXPECT_EQ(poll(), 0u);
        Consumer::Header frame;
        while (asked_->peek(frame)) {
            ASSERT_EQ(frame.kind, FrameKind::read_reply);
            answer.insert(answer.end(), frame.payload, frame.payload + frame.length);
            asked_->advance(frame);
        }
        asked_->publish();
    }
    EXPECT_GT(turns, 1u) << "it fitted into the lane";
    EXPECT_TRUE(answer == memory);
    region->deregister();
}

// A sleeper would not take the frames that are there, and no room would come.
TEST_F(RingFrames, OfAnAnswerThatWaitsForRoomRingASleeper) {
    proves("ND2-CQ-NTF-08");
    std::vector<std::byte> memory(std::size_t{kFrames} * 2 * kMostPayload);
    const auto region = share(memory, Access::remote_read);
    lanes_[0].wishes.attention.store(kAsleep);
    sender_->publish({FrameKind::read_request, kWhole, 0, static_cast<std::uint32_t>(memory.size()),
                      value(region->remote_token()), address_of(memory)},
                     0);
    EXPECT_EQ(poll(), 0u);
    Consumer::Header frame;
    ASSERT_TRUE(asked_->peek(frame));
    EXPECT_EQ(lanes_[0].wishes.attention.load(), kAsleepRung);
    region->deregister();
}

TEST_F(RingFrames, OfAnAnswerCountWithTheirHeaders) {
    std::vector<std::byte> memory(std::size_t{2} * kMostPayload);
    const auto region = share(memory, Access::remote_read);
    sender_->publish({FrameKind::read_request, kWhole, 0, static_cast<std::uint32_t>(memory.size()),
                      value(region->remote_token()), address_of(memory)},
                     0);
    EXPECT_EQ(poll(), 0u);
    const Traffic traffic = channel_->traffic().read();
    EXPECT_EQ(traffic.octets_in, kFrameHeaderBytes);
    EXPECT_EQ(traffic.frames_out, 2u);
    EXPECT_EQ(traffic.octets_out, memory.size() + 2 * kFrameHeaderBytes);
    region->deregister();
}

// A poll finds it, though the frame is consumed, and an answer for this side's own Read may come behind it.
TEST_F(RingFrames, OfAQuestionShowAnArrivalWhileItsAnswerWaitsForRoom) {
    std::vector<std::byte> memory(std::size_t{kFrames} * 2 * kMostPayload);
    const auto region = share(memory, Access::remote_read);
    post_read(16);
    sender_->publish({FrameKind::read_request, kWhole, 0, static_cast<std::uint32_t>(memory.size()),
                      value(region->remote_token()), address_of(memory)},
                     0);
    EXPECT_EQ(poll(), 0u);
    Consumer::Header frame;
    ASSERT_TRUE(asked_->peek(frame)) << "no part of the answer went";
    EXPECT_TRUE(channel_->has_arrival());
    answer(kWhole, 16);
    ASSERT_EQ(poll(), 1u) << "what lies behind the question is not taken";
    EXPECT_EQ(completion_.status, Status::success);
    region->deregister();
}

TEST_F(RingFrames, OfQuestionsAreAnsweredInTheirOrder) {
    std::vector<std::byte> much(std::size_t{kFrames} * 2 * kMostPayload, std::byte{1}), little(16, std::byte{2});
    const auto first = share(much, Access::remote_read), second = share(little, Access::remote_read);
    post_read(16);
    for (const auto& [memory, region] : {std::tie(much, first), std::tie(little, second)})
        sender_->publish({FrameKind::read_request, kWhole, 0, static_cast<std::uint32_t>(memory.size()),
                          value(region->remote_token()), address_of(memory)},
                         0);
    std::vector<std::byte> answers;
    for (int turns = 0; answers.size() < much.size() + little.size() && turns < 100; ++turns) {
        EXPECT_EQ(poll(), 0u);
        Consumer::Header frame;
        while (asked_->peek(frame)) {
            if (frame.kind == FrameKind::read_reply)
                answers.insert(answers.end(), frame.payload, frame.payload + frame.length);
            asked_->advance(frame);
        }
        asked_->publish();
    }
    ASSERT_EQ(answers.size(), much.size() + little.size());
    EXPECT_TRUE(std::is_sorted(answers.begin(), answers.end()));
    first->deregister();
    second->deregister();
}

// The peer is owed it.
TEST_F(RingFrames, OfAnAnswerAreNotTakenBackByAFlush) {
    proves("ND2-QP-FLUSH-05");
    std::vector<std::byte> memory(16);
    const auto region = share(memory, Access::remote_read);
    sender_->publish({FrameKind::read_request, kWhole, 0, 16, value(region->remote_token()), address_of(memory)}, 0);
    EXPECT_EQ(poll(), 0u);
    queue_pair_->flush();
    Consumer::Header answer;
    ASSERT_TRUE(asked_->peek(answer));
    EXPECT_EQ(answer.kind, FrameKind::read_reply);
    region->deregister();
}

TEST_F(RingFrames, OfAnAnswerMayNotBeginWithinAnother) {
    post_read(16);
    say({FrameKind::read_reply, kFirst, 8, 8});
    EXPECT_EQ(poll(), 0u);
    say({FrameKind::read_reply, kFirst, 8, 8});
    expect_broken();
}

TEST_F(RingFrames, AnswerNothingThatWasNotAsked) {
    say({FrameKind::read_reply, kWhole, 8, 8});
    expect_broken();
}

TEST_F(RingFrames, AnswerAReadOnceAndNotBeforeTheyCome) {
    post_read(16);
    Consumer::Header question;
    ASSERT_TRUE(asked_->peek(question));
    asked_->advance(question);
    asked_->publish();
    EXPECT_EQ(poll(), 0u) << "the question was taken, and not answered";
    say({FrameKind::read_reply, kWhole, 16, 16});
    ASSERT_EQ(poll(), 1u);
    EXPECT_EQ(completion_.status, Status::success);
    say({FrameKind::read_reply, kWhole, 16, 16});
    expect_broken();
}

// The sender is another thread, which waits for the refusal.
class RefusedSend : public RingReceiver {
public:
    std::uint32_t count_with_refusal() {
        post_receive();
        lanes_[0].wishes.attention.store(static_cast<std::uint32_t>(soft::Attention::awake));
        say({FrameKind::send, kFirst | kLast, 8, 8});
        sender_->publish({FrameKind::read_reply, kFirst | kLast, 0, 0}, 0);
        const Lane::Counters& counters = lanes_[1].counters;
        std::atomic<bool> waits{false};
        std::uint32_t count = 0;
        std::thread sender([&] {
            waits = true;
            while (counters.refused.load(std::memory_order_acquire) == 0) {
            }
            count = counters.consumed.load(std::memory_order_relaxed);
        });
        while (!waits) std::this_thread::yield();
        EXPECT_EQ(poll(), 1u);
        sender.join();
        return count;
    }

private:
    void TestBody() override {}
};

// Otherwise a flush could cancel a message that has arrived.
TEST(RingRefusal, IsSeenWithTheCountOfWhatWasTakenBefore) {
    proves("ND2-QP-FLUSH-05");
    for (int round = 0; round < 50; ++round) ASSERT_EQ(RefusedSend().count_with_refusal(), 1u) << "in round " << round;
}

}  // namespace
}  // namespace opennd::local

// SPDX-License-Identifier: MIT
// The message that a peer's Terminate refers to, and its completion.
#include "transport/iwarp/stream/sent_messages.h"

#include <gtest/gtest.h>

#include "support/requirement.h"
#include "unit/transport/iwarp/segments.h"

namespace opennd::iwarp {
namespace {

using support::proves;

constexpr Stag kMemory{0xa1b2c3d4}, kSink{0x55667788};

// 1: Send, 2: Write of 100 octets to 1000, 3: Read, 4: Send.
SentMessages four() {
    SentMessages sent;
    sent.begin({Opcode::send, 1, {}, 0, 10, 0});
    sent.framed(100);
    sent.begin({Opcode::write, 0, kMemory, 1000, 100, 0});
    sent.framed(300);
    sent.begin({Opcode::read_request, 1, kSink, 0, 50, 0});
    sent.framed(352);
    sent.begin({Opcode::send_solicited, 2, {}, 0, 10, 0});
    return sent;
}

ReceivedTerminate blaming(const TerminateCause& cause, std::span<const std::byte> header) {
    ReceivedTerminate terminate;
    terminate.cause = cause;
    terminate.ddp_header = header;
    return terminate;
}

std::array<std::byte, UntaggedHeader::kBytes> untagged(Queue queue, std::uint32_t msn, Opcode opcode) {
    std::array<std::byte, UntaggedHeader::kBytes> header{};
    UntaggedHeader{{}, queue, msn, 0}.store(header, opcode, true);
    return header;
}

std::array<std::byte, TaggedHeader::kBytes> tagged(Opcode opcode, Stag stag, std::uint64_t offset) {
    std::array<std::byte, TaggedHeader::kBytes> header{};
    TaggedHeader{stag, offset}.store(header, opcode, true);
    return header;
}

TEST(SentMessages, BlamesTheSendWithThatNumber) {
    proves("IW-RDMAP-41");
    const SentMessages sent = four();
    EXPECT_EQ(sent.blamed(blaming(term(1, 2, 2), untagged(Queue::sends, 2, Opcode::send_solicited))), 4u);
    EXPECT_EQ(sent.blamed(blaming(term(1, 2, 2), untagged(Queue::sends, 3, Opcode::send))), std::nullopt);
}

TEST(SentMessages, BlamesTheWriteThatHoldsTheOffset) {
    proves("IW-RDMAP-41");
    const SentMessages sent = four();
    EXPECT_EQ(sent.blamed(blaming(term(1, 1, 1), tagged(Opcode::write, kMemory, 1050))), 2u);
    EXPECT_EQ(sent.blamed(blaming(term(1, 1, 1), tagged(Opcode::write, kMemory, 999))), std::nullopt);
    EXPECT_EQ(sent.blamed(blaming(term(1, 1, 1), tagged(Opcode::write, kSink, 1050))), std::nullopt);
    EXPECT_EQ(sent.blamed(blaming(term(1, 1, 1), tagged(Opcode::read_response, kMemory, 1050))), std::nullopt);
}

TEST(SentMessages, BlamesTheReadWithThatSinkOrNumber) {
    proves("IW-RDMAP-41");
    const SentMessages sent = four();
    const auto header = untagged(Queue::read_requests, 1, Opcode::read_request);
    EXPECT_EQ(sent.blamed(blaming(term(0, 1, 0), header)), 3u);
    ReceivedTerminate terminate = blaming(term(0, 1, 0), header);
    terminate.read_request = ReadRequest{kSink, 0, 50, kMemory, 0};
    EXPECT_EQ(sent.blamed(terminate), 3u);
    terminate.read_request->sink = kMemory;
    EXPECT_EQ(sent.blamed(terminate), std::nullopt);
}

TEST(SentMessages, BlamesTheOldestWhereNothingIsQuoted) {
    proves("IW-ERR-05");
    SentMessages sent = four();
    EXPECT_EQ(sent.blamed(blaming(term(2, 0, 2), {})), 1u);
    sent.confirm(2);
    EXPECT_EQ(sent.blamed(blaming(term(2, 0, 2), {})), 3u);
    sent.confirm(4);
    EXPECT_EQ(sent.blamed(blaming(term(2, 0, 2), {})), std::nullopt);
}

TEST(SentMessages, AreNotUnconfirmedByAnOlderConfirmation) {
    proves("IW-RDMAP-40");
    SentMessages sent = four();
    sent.confirm(3);
    sent.confirm(1);
    EXPECT_EQ(sent.blamed(blaming(term(2, 0, 2), {})), 4u);
    sent.confirm(99);
    EXPECT_TRUE(sent.empty());
}

TEST(SentMessages, BlamesNobodyForAFailureOfThePeersOwn) {
    EXPECT_EQ(four().blamed(blaming(term(0, 0, 0), {})), std::nullopt);
}

TEST(SentMessages, KnowsWhatTheSocketHasTaken) {
    proves("IW-RDMAP-40");
    const SentMessages sent = four();
    EXPECT_EQ(sent.ended_by(99), 0u);
    EXPECT_EQ(sent.ended_by(100), 1u);
    EXPECT_EQ(sent.ended_by(351), 2u);
    EXPECT_EQ(sent.ended_by(1000), 2u) << "a Read is done when it is answered";
}

TEST(SentMessages, KeepsAnyNumber) {
    SentMessages sent;
    for (std::uint32_t msn = 1; msn <= 1000; ++msn) {
        EXPECT_EQ(sent.begin({Opcode::send, msn, {}, 0, 0, 0}), msn);
        if (msn % 3 == 0) sent.confirm(msn - 1);
    }
    EXPECT_EQ(sent.blamed(blaming(term(1, 2, 2), untagged(Queue::sends, 1000, Opcode::send))), 1000u);
    EXPECT_EQ(sent.blamed(blaming(term(1, 2, 2), untagged(Queue::sends, 5, Opcode::send))), std::nullopt);
}

TEST(SentMessages, CompleteAsThePeerSays) {
    struct Row {
        Opcode opcode;
        TerminateCause cause;
        Status status;
    };
    constexpr Row kRows[] = {
        {Opcode::read_request, term(0, 1, 0), Status::remote_access_violation},
        {Opcode::read_request, term(0, 1, 4), Status::remote_access_violation},
        {Opcode::send_invalidate, term(0, 1, 9), Status::malformed_request},
        {Opcode::send_invalidate, term(0, 2, 9), Status::malformed_request},
        {Opcode::write, term(1, 1, 0), Status::remote_access_violation},
        {Opcode::write, term(1, 1, 3), Status::remote_access_violation},
        {Opcode::write, term(1, 1, 4), Status::internal_error},
        {Opcode::send, term(1, 2, 2), Status::timed_out},
        {Opcode::read_request, term(1, 2, 2), Status::remote_data_error},
        {Opcode::read_request, term(0, 2, 7), Status::remote_data_error},
        {Opcode::send, term(1, 2, 5), Status::remote_data_error},
        {Opcode::send, term(1, 2, 3), Status::internal_error},
        {Opcode::send, term(0, 2, 6), Status::internal_error},
        {Opcode::write, term(2, 0, 2), Status::timed_out},
        {Opcode::write, term(2, 0, 1), Status::remote_data_error},
    };
    for (const Row& row : kRows) {
        SCOPED_TRACE(testing::PrintToString(row.cause));
        EXPECT_EQ(refusal_status(row.opcode, row.cause), row.status);
    }
    EXPECT_EQ(refusal_status(Opcode::send, std::nullopt), Status::remote_data_error);
}

}  // namespace
}  // namespace opennd::iwarp

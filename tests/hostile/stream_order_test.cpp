// SPDX-License-Identifier: MIT
//
// A peer by hand that is right in all it says: the order in which this side sends, receives and completes.
#include "hostile/heard.h"
#include "hostile/hostile_test.h"
#include "support/pattern.h"

namespace opennd::hostile {
namespace {

class StreamOrder : public Hostile {};

TEST_F(StreamOrder, OfSegmentsIsThatOfTheirMessages) {
    proves("IW-DDP-03", "IW-DDP-07", "IW-DDP-01", "IW-DDP-02");
    RawPeer peer = connected();
    constexpr std::uint32_t kBytes = 60'000;
    for (Tag tag = 1; tag <= 4; ++tag) ASSERT_EQ(side().send(tag, 0, kBytes), Outcome::success);
    peer.say(fpdu(read_request(1, stag(), address(), 8)));  // its answer stands between two messages
    std::uint32_t msn = 1, offset = 0;
    bool answered = false;
    while (msn <= 4 || !answered) {
        const Heard heard = next_of(peer);
        if (heard.opcode() != kSend) {
            EXPECT_EQ(offset, 0u) << "something within message " << msn;
            answered = answered || heard.opcode() == kResponse;
            continue;
        }
        EXPECT_EQ(heard.msn(), msn);
        EXPECT_EQ(heard.offset(), offset);
        offset += static_cast<std::uint32_t>(heard.payload_bytes());
        EXPECT_EQ(heard.last(), offset == kBytes);
        if (!heard.last()) continue;
        ++msn;
        offset = 0;
    }
}

TEST_F(StreamOrder, OfSegmentsFitsThoseOfTcp) {
    proves("IW-CM-03", "IW-DDP-01");
    constexpr std::uint32_t kBytes = 20'000;
    constexpr std::size_t kSegment = 1000;
    OpenStream stream(driver(), {}, kSegment);
    ASSERT_EQ(stream.side.send(1, 0, kBytes), Outcome::success);
    for (std::size_t bytes = 0; bytes < kBytes;) {
        const Heard heard = next_of(stream.peer);
        const std::size_t fpdu_bytes = fpdu(heard.ulpdu).size();
        EXPECT_LE(fpdu_bytes, kSegment);
        if (!heard.last()) {
            EXPECT_GE(fpdu_bytes, kSegment - 40) << "it is filled, but for the options of TCP";
        }
        bytes += heard.payload_bytes();
        ASSERT_NE(heard.payload_bytes(), 0u);
    }
}

// A peer with OpenND's mark gets whole FPDUs, and TCP cuts them.
TEST_F(StreamOrder, OfSegmentsToAPeerOfTheSameKindFillsWholeFpdus) {
    proves("IW-MPA-29", "IW-MPA-20");
    constexpr std::uint32_t kBytes = 200'000;
    constexpr std::size_t kSegment = 1000, kLongest = 64'768;
    OpenStream stream(driver(), {.memory_bytes = kBytes}, kSegment, {.flags = 0x55});
    const auto expect_filled = [&](std::size_t header_bytes) {
        for (std::size_t bytes = 0; bytes < kBytes;) {
            const Heard heard = next_of(stream.peer);
            ASSERT_GT(heard.ulpdu.size(), header_bytes);
            bytes += heard.ulpdu.size() - header_bytes;
            EXPECT_EQ(heard.last(), bytes == kBytes);
            if (!heard.last()) {
                EXPECT_EQ(heard.ulpdu.size(), kLongest);
            }
        }
    };
    ASSERT_EQ(stream.side.send(1, 0, kBytes), Outcome::success);
    expect_filled(18);
    ASSERT_EQ(stream.side.write(2, 0, kBytes, {0x1000, 0x55667788}), Outcome::success);
    expect_filled(14);
    stream.peer.say(fpdu(read_request(1, stream.stag(), stream.address(), kBytes)));
    expect_filled(14);
}

// An FPDU that is longer than TCP's segments, longer than those before it, and longer than OpenND sends: the length field allows it.
TEST_F(StreamOrder, OfReceivedSegmentsHasAnyLength) {
    proves("IW-MPA-29", "IW-MPA-20");
    for (const std::uint8_t flags : {std::uint8_t{0x50}, std::uint8_t{0x51}, std::uint8_t{0x55}}) {
        SCOPED_TRACE(unsigned{flags});
        OpenStream stream(driver(), {.memory_bytes = 1u << 18}, 1000, {.flags = flags});
        ASSERT_EQ(stream.side.receive(1, 0, 1u << 18), Outcome::success);
        std::uint32_t offset = 0;
        for (const std::uint32_t payload : {1u, 1500u, 64'768u - 18, 65'535u - 18, 3u}) {
            stream.peer.say(fpdu(send(1, Octets(payload, static_cast<std::uint8_t>(payload)), payload == 3, offset)));
            offset += payload;
        }
        EXPECT_TRUE(reports_received(*stream.side.received, 1, offset));
        EXPECT_EQ(stream.side.bytes(offset - 4, 1)[0], std::byte{static_cast<std::uint8_t>(65'535u - 18)});
    }
}

// Over the loopback device TCP takes longer segments when the peer's window has grown.
TEST_F(StreamOrder, OfSegmentsFollowsThoseOfTcp) {
    proves("IW-CM-03", "IW-DDP-06");
    constexpr std::uint32_t kBytes = 1u << 20;
    OpenStream stream(driver(), {.memory_bytes = kBytes});
    const auto longest_of_next = [&] {
        std::size_t longest = 0;
        for (bool last = false; !last;) {
            const Heard heard = next_message(stream.peer);
            longest = std::max(longest, heard.payload_bytes());
            last = heard.last();
        }
        return longest;
    };
    ASSERT_EQ(stream.side.send(1, 0, 60'000), Outcome::success);
    const std::size_t first = longest_of_next();
    std::size_t latest = first;
    for (Tag tag = 2; tag < 30 && latest == first; ++tag) {
        ASSERT_EQ(stream.side.send(tag, 0, kBytes), Outcome::success);
        latest = longest_of_next();
    }
    EXPECT_GT(latest, first);
}

TEST_F(StreamOrder, OfReceivesIsThatOfTheirPosts) {
    proves("IW-DDP-09", "IW-DDP-10", "IW-DDP-16", "IW-DDP-17", "IW-DDP-19", "IW-RDMAP-36");
    RawPeer peer = connected();
    support::fill_with(side().memory.bytes(), std::byte{0xEE});
    ASSERT_EQ(side().receive(1, 0, 64), Outcome::success);
    ASSERT_EQ(side().receive(2, 64, 64), Outcome::success);
    // In the middle of a message: a Write and a Read, of which the program hears nothing.
    peer.say(joined({fpdu(send(1, {1, 2, 3, 4}, false)), fpdu(tagged(0, stag(), address(200), {9})),
                     fpdu(read_request(1, stag(), address(200), 1))}));
    const Heard answer = next_message(peer);
    EXPECT_EQ(answer.opcode(), kResponse);
    EXPECT_EQ(answer.ulpdu.back(), 9) << "what the Write before it placed";
    EXPECT_EQ(side().bytes(3, 1)[0], std::byte{4}) << "a segment is placed when it has come";
    EXPECT_TRUE(side().received->poll(1).empty()) << "and delivered with the last one";
    peer.say(joined({fpdu(send(1, {5, 6}, true, 4)), fpdu(send(2, {7}))}));
    EXPECT_TRUE(reports_received(*side().received, 1, 6));
    EXPECT_TRUE(reports_received(*side().received, 2, 1));
    EXPECT_EQ(side().bytes(64, 1)[0], std::byte{7});
}

TEST_F(StreamOrder, OfAMessageOfNothing) {
    proves("IW-RDMAP-21");
    RawPeer peer = connected();
    ASSERT_EQ(side().receive(1), Outcome::success);
    ASSERT_EQ(side().receive(2, 0, 64), Outcome::success);
    peer.say(joined({fpdu(send(1, {})), fpdu(send(2, {}))}));
    EXPECT_TRUE(reports_received(*side().received, 1, 0));
    EXPECT_TRUE(reports_received(*side().received, 2, 0));
}

TEST_F(StreamOrder, OfSolicitedMessages) {
    proves("IW-RDMAP-20");
    RawPeer peer = connected();
    ASSERT_EQ(side().receive(1, 0, 64), Outcome::success);
    ASSERT_EQ(side().receive(2, 0, 64), Outcome::success);
    const Operation notified = side().received->notify(conformance::NotifyType::solicited);
    peer.say(joined({fpdu(send(1, {1})), fpdu(read_request(1, stag(), address(), 1))}));
    (void)next_message(peer);  // the first message has been taken by now
    EXPECT_EQ(notified.now(), Outcome::pending);
    peer.say(fpdu(untagged(5, 0, 2, 0, {2})));
    EXPECT_EQ(notified.wait(), Outcome::success);
}

// The opcodes of this side's messages.
TEST_F(StreamOrder, TellsWhichMessagesAreSolicited) {
    proves("IW-RDMAP-20");
    RawPeer peer = connected();
    ASSERT_EQ(side().send(1, 0, 8, conformance::kSolicit), Outcome::success);
    ASSERT_EQ(side().send(2, 0, 8), Outcome::success);
    EXPECT_EQ(next_message(peer).opcode(), kSolicitedSend);
    EXPECT_EQ(next_message(peer).opcode(), kSend);
}

TEST_F(StreamOrder, OfReadsIsThatOfTheirAnswers) {
    proves("IW-RDMAP-14", "IW-RDMAP-22", "IW-RDMAP-23", "IW-RDMAP-25", "IW-ND-08");
    RawPeer peer = connected({}, {.inbound = 16, .outbound = 2});
    for (Tag tag = 1; tag <= 3; ++tag)
        ASSERT_EQ(side().read(tag, 100 * tag, 8, {0x1000, 0x55667788}), Outcome::success);
    const Heard first = next_of(peer), second = next_of(peer);
    EXPECT_EQ(first.opcode(), kRead);
    EXPECT_EQ(first.msn(), 1u);
    EXPECT_EQ(second.msn(), 2u);
    EXPECT_NE(first.sink(), second.sink()) << "a name for each Read";
    EXPECT_EQ(number_at(first.ulpdu, 22) | number_at(first.ulpdu, 26), 0u) << "offsets from 0";
    peer.say(joined(
        {fpdu(tagged(2, first.sink(), 0, {1, 2, 3, 4}, false)), fpdu(tagged(2, first.sink(), 4, {5, 6, 7, 8}))}));
    EXPECT_TRUE(reports(*side().initiated, RequestKind::read, 1, Outcome::success));
    EXPECT_EQ(side().bytes(107, 1)[0], std::byte{8});
    const Heard third = next_of(peer);
    EXPECT_EQ(third.msn(), 3u) << "it waited for a place";
    peer.say(joined({fpdu(tagged(2, second.sink(), 0, Octets(8))), fpdu(tagged(2, third.sink(), 0, Octets(8)))}));
    EXPECT_TRUE(reports_exactly(*side().initiated, {2, 3}, Outcome::success));
}

TEST_F(StreamOrder, OfResultsIsThatOfPosts) {
    proves("IW-RDMAP-35", "IW-RDMAP-42");
    RawPeer peer = connected();
    ASSERT_EQ(side().read(1, 0, 8, {0x1000, 0x55667788}), Outcome::success);
    ASSERT_EQ(side().write(2, 0, 8, {0x1000, 0x55667788}, conformance::kSilent), Outcome::success);
    ASSERT_EQ(side().write(3, 0, 8, {0x1000, 0x55667788}), Outcome::success);
    const Heard read = next_of(peer);
    EXPECT_EQ(next_message(peer).opcode(), kWrite);
    EXPECT_EQ(next_message(peer).opcode(), kWrite);
    EXPECT_TRUE(side().initiated->poll(1).empty());
    peer.say(fpdu(tagged(2, read.sink(), 0, Octets(8))));
    EXPECT_TRUE(reports(*side().initiated, RequestKind::read, 1, Outcome::success));
}

// Everything left long ago, and nothing more goes out.
TEST_F(StreamOrder, OfResultsBehindAReadGoesOnWithItsAnswer) {
    proves("IW-RDMAP-35");
    RawPeer peer = connected();
    ASSERT_EQ(side().read(1, 0, 8, {0x1000, 0x55667788}), Outcome::success);
    ASSERT_EQ(side().write(2, 0, 8, {0x1000, 0x55667788}), Outcome::success);
    ASSERT_EQ(side().send(3, 0, 8), Outcome::success);
    const Heard read = next_of(peer);
    (void)next_of(peer);
    (void)next_of(peer);
    peer.say(fpdu(tagged(2, read.sink(), 0, Octets(8))));
    EXPECT_TRUE(reports_exactly(*side().initiated, {1, 2, 3}, Outcome::success));
}

TEST_F(StreamOrder, OfAFencedMessageIsBehindTheAnswer) {
    proves("IW-RDMAP-16");
    RawPeer peer = connected();
    ASSERT_EQ(side().read(1, 0, 8, {0x1000, 0x55667788}), Outcome::success);
    ASSERT_EQ(side().send(2, 0, 8, conformance::kReadFence), Outcome::success);
    const Heard read = next_of(peer);
    peer.say(fpdu(read_request(1, stag(), address(), 8)));
    EXPECT_EQ(next_of(peer).opcode(), kResponse) << "this side goes on answering, and sends no message";
    peer.say(fpdu(tagged(2, read.sink(), 0, Octets(8))));
    EXPECT_EQ(next_message(peer).opcode(), kSend);
}

TEST_F(StreamOrder, OfAnswersAndMessagesStarvesNeither) {
    proves("IW-RDMAP-12", "IW-RDMAP-37");
    RawPeer peer = connected();
    Octets questions;
    for (std::uint32_t msn = 1; msn <= 16; ++msn)
        questions = joined({questions, fpdu(read_request(msn, stag(), address(), 4096))});
    for (Tag tag = 1; tag <= 8; ++tag) ASSERT_EQ(side().send(tag, 0, 4096), Outcome::success);
    peer.say(questions);
    for (Tag tag = 9; tag <= 16; ++tag) ASSERT_EQ(side().send(tag, 0, 4096), Outcome::success);
    int answers = 0, messages = 0;
    while (answers < 16 || messages < 16) {
        const Heard heard = next_message(peer);
        if (heard.ulpdu.size() == 46 && heard.opcode() == 0) break;  // nothing came
        if (!heard.last()) continue;
        if (heard.opcode() == kResponse) ++answers;
        if (heard.opcode() == kSend) ++messages;
    }
    EXPECT_EQ(answers, 16);
    EXPECT_EQ(messages, 16);
}

TEST_F(StreamOrder, OfTheEndFlushesSilentRequestsAloud) {
    proves("IW-ERR-21");
    RawPeer peer = connected(openly_asked());
    ASSERT_EQ(side().send(1, 0, 8, conformance::kSilent), Outcome::success);
    ASSERT_EQ(side().send(2, 0, 8, conformance::kSilent), Outcome::success);
    (void)next_message(peer);
    (void)next_message(peer);  // on their way, and no fence is answered
    peer.end();
    expect_lost();
    EXPECT_TRUE(reports_exactly(*side().initiated, {1, 2}, Outcome::canceled));
}

TEST_F(StreamOrder, OfTwoEndsAtOnceIsNoMatter) {
    proves("IW-ERR-15");
    RawPeer peer = connected();
    peer.end();
    EXPECT_EQ(side().connector->disconnect().wait(), Outcome::success);
    EXPECT_EQ(peer.stream_end(), StreamEnd::in_order);
}

TEST_F(StreamOrder, OfAnEndWithOctetsUnread) {
    proves("IW-ERR-08");
    RawPeer peer = connected();
    Octets writes;
    for (int i = 0; i < 200; ++i) writes = joined({writes, fpdu(tagged(0, stag(), address(), Octets(1000)))});
    peer.say(writes);
    EXPECT_EQ(side().connector->disconnect().wait(), Outcome::success);
    EXPECT_EQ(peer.stream_end(), StreamEnd::in_order);
}

TEST_F(StreamOrder, OfAReleaseIsThatOfADisconnect) {
    proves("IW-ERR-17");
    OpenStream stream(driver());
    stream.side.queue_pair.reset();
    EXPECT_EQ(stream.peer.stream_end(), StreamEnd::in_order);
}

TEST_F(StreamOrder, OfACrcThatThePeerDidNotAskForIsKept) {
    proves("IW-MPA-09");
    RawPeer peer = connected({.flags = 0x10});  // S alone
    EXPECT_NE(reply()[16] & 0x40, 0) << "C";
    Octets broken = fpdu(send(1, {1, 2, 3, 4}));
    broken[22] ^= 0x10;
    peer.say(broken);
    EXPECT_EQ(peer.hear_terminate(), "2/0/02");
    expect_lost();
}

}  // namespace
}  // namespace opennd::hostile

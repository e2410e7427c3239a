// SPDX-License-Identifier: MIT
//
// Receipts with a peer by hand that agreed on them: its own complete this side's messages, and lies end the stream; this side's
// tell how far it has placed the peer's. docs/decisions/0040.
#include "hostile/heard.h"
#include "hostile/hostile_test.h"

namespace opennd::hostile {
namespace {

constexpr conformance::Remote kElsewhere{0x1000, 0x55667788};
// Octets of the stream: the peer's opening, a Send of one octet, a Send of eight.
constexpr std::uint32_t kOpening = 20, kSendOfOne = 28, kSendOfEight = 32;

Frame with_receipts() { return {.flags = 0x55}; }

Octets receipt(std::uint64_t placed) {
    Octets ulpdu = tagged(kWrite, 0, placed);
    ulpdu[1] |= 0x10;
    return fpdu(ulpdu);
}
// A Send of one octet with a receipt.
Octets send_with(std::uint32_t receipt, std::uint32_t msn = 1) {
    return fpdu(untagged(kSend, 0, msn, 0, {7}, true, receipt));
}

// The receipt in what this side said; nothing if there is none.
std::optional<std::uint64_t> receipt_in(const Heard& heard) {
    if (heard.opcode() == kSend || heard.opcode() == kSolicitedSend) return number_at(heard.ulpdu, 2);
    if ((heard.ulpdu[1] & 0x1f) != 0x10) return std::nullopt;
    return std::uint64_t{number_at(heard.ulpdu, 6)} << 32 | number_at(heard.ulpdu, 10);
}

class Receipts : public Hostile {
protected:
    // Two Sends of this side, which the peer has heard.
    void send_two(RawPeer& peer) {
        for (Tag tag = 1; tag <= 2; ++tag) ASSERT_EQ(side().send(tag, 0, 8), Outcome::success);
        for (int i = 0; i < 2; ++i) {
            const Heard heard = next_of(peer);
            EXPECT_EQ(heard.opcode(), kSend) << "and no fence";
            EXPECT_EQ(receipt_in(heard), 0u);
        }
        EXPECT_TRUE(side().initiated->poll(1).empty()) << "they may not be placed yet";
    }
    void expect_fault(RawPeer& peer) {
        EXPECT_EQ(peer.hear_terminate(), "0/2/07");
        expect_lost();
    }
};

TEST_F(Receipts, AreAgreedOnByAnswer) {
    proves("IW-RDMAP-48", "IW-MPA-04");
    RawPeer peer = connected(with_receipts());
    EXPECT_EQ(reply()[16], 0x56);
}

TEST_F(Receipts, CompleteTheMessagesThatTheyCover) {
    proves("IW-RDMAP-49", "IW-RDMAP-50");
    RawPeer peer = connected(with_receipts());
    send_two(peer);
    peer.say(receipt(kSendOfEight + 8));
    EXPECT_TRUE(reports(*side().initiated, RequestKind::send, 1, Outcome::success));
    EXPECT_TRUE(side().initiated->poll(1).empty()) << "in the middle of the second";
    ASSERT_EQ(side().receive(3, 0, 64), Outcome::success);
    peer.say(send_with(2 * kSendOfEight));
    EXPECT_TRUE(reports(*side().initiated, RequestKind::send, 2, Outcome::success));
    EXPECT_TRUE(reports_received(*side().received, 3, 1));
}

TEST_F(Receipts, CompleteAWriteOfNothing) {
    proves("IW-RDMAP-49", "IW-ND-04");
    RawPeer peer = connected(with_receipts());
    ASSERT_EQ(side().write(1, 0, 0, kElsewhere), Outcome::success);
    EXPECT_EQ(next_of(peer).opcode(), kWrite);
    peer.say(receipt(20));
    EXPECT_TRUE(reports(*side().initiated, RequestKind::write, 1, Outcome::success));
}

TEST_F(Receipts, WaitBehindAReadForItsAnswer) {
    proves("IW-RDMAP-35", "IW-RDMAP-49");
    RawPeer peer = connected(with_receipts());
    ASSERT_EQ(side().read(1, 0, 8, kElsewhere), Outcome::success);
    ASSERT_EQ(side().send(2, 0, 8), Outcome::success);
    const Heard read = next_of(peer);
    EXPECT_EQ(next_of(peer).opcode(), kSend);
    peer.say(receipt(52 + kSendOfEight));
    peer.say(fpdu(read_request(1, stag(), address(), 8)));
    EXPECT_EQ(next_of(peer).opcode(), kResponse) << "the receipt was taken before";
    EXPECT_TRUE(side().initiated->poll(2).empty());
    peer.say(fpdu(tagged(2, read.sink(), 0, Octets(8))));
    EXPECT_TRUE(reports_exactly(*side().initiated, {1, 2}, Outcome::success));
}

TEST_F(Receipts, AreNeededWhereNoReadsWereAgreedOn) {
    proves("IW-RDMAP-49");
    RawPeer peer = connected({.flags = 0x55, .enhanced = {0x80, 0x00, 0xc0, 0x00}});
    send_two(peer);
    peer.say(receipt(2 * kSendOfEight));
    EXPECT_TRUE(reports_exactly(*side().initiated, {1, 2}, Outcome::success));
}

TEST_F(Receipts, OfMoreThanWasSentEndTheStream) {
    proves("IW-RDMAP-51");
    RawPeer peer = connected(with_receipts());
    send_two(peer);
    peer.say(receipt(2 * kSendOfEight + 1));
    expect_fault(peer);
    EXPECT_TRUE(reports_exactly(*side().initiated, {1, 2}, Outcome::canceled));
}

TEST_F(Receipts, OfMoreThanWasSentEndTheStreamInASendToo) {
    proves("IW-RDMAP-51");
    RawPeer peer = connected(with_receipts());
    ASSERT_EQ(side().receive(3, 0, 64), Outcome::success);
    send_two(peer);
    peer.say(send_with(2 * kSendOfEight + 1));
    expect_fault(peer);
    EXPECT_TRUE(reports_exactly(*side().initiated, {1, 2}, Outcome::canceled));
    EXPECT_TRUE(reports_exactly(*side().received, {3}, Outcome::canceled)) << "nothing of it is placed";
}

TEST_F(Receipts, ThatGoBackEndTheStream) {
    proves("IW-RDMAP-51");
    for (const bool in_a_send : {false, true}) {
        OpenStream stream(driver(), {}, 0, with_receipts());
        const Operation lost = stream.side.connector->notify_disconnect();
        ASSERT_EQ(stream.side.send(1, 0, 8), Outcome::success);
        EXPECT_EQ(next_of(stream.peer).opcode(), kSend);
        stream.peer.say(joined({receipt(kSendOfEight), in_a_send ? send_with(kSendOfEight - 1) : receipt(0)}));
        EXPECT_TRUE(reports(*stream.side.initiated, RequestKind::send, 1, Outcome::success));
        EXPECT_EQ(stream.peer.hear_terminate(), "0/2/07");
        EXPECT_EQ(lost.wait(), Outcome::success);
    }
}

TEST_F(Receipts, ThatNeverComeLeaveTheMessageOpen) {
    proves("IW-RDMAP-49", "ND2-QP-SEND-02");
    RawPeer peer = connected(with_receipts());
    send_two(peer);
    ASSERT_EQ(side().receive(3, 0, 64), Outcome::success);
    peer.say(send_with(0));
    EXPECT_TRUE(reports_received(*side().received, 3, 1)) << "the connection goes on";
    EXPECT_TRUE(side().initiated->poll(1).empty());
    peer.reset();
    expect_lost();
    EXPECT_TRUE(reports_exactly(*side().initiated, {1, 2}, Outcome::canceled));
}

TEST_F(Receipts, OfAStrangerAreNone) {
    proves("IW-RDMAP-33", "IW-RDMAP-48");
    RawPeer peer = connected(openly_asked());
    ASSERT_EQ(side().receive(1, 0, 64), Outcome::success);
    peer.say(joined({receipt(77), send_with(99)}));
    EXPECT_TRUE(reports_received(*side().received, 1, 1)) << "reserved bits and fields are not looked at";
}

TEST_F(Receipts, TellHowFarThisSideHasPlaced) {
    proves("IW-RDMAP-49", "IW-RDMAP-52");
    RawPeer peer = connected(with_receipts());
    ASSERT_EQ(side().receive(1, 0, 64), Outcome::success);
    peer.say(send_with(0));
    EXPECT_EQ(receipt_in(next_of(peer)), kOpening + kSendOfOne) << "though the program does nothing";
    // A message that waits for a receive is not placed; the Write before it is.
    peer.say(joined({fpdu(tagged(0, stag(), address(200), {9, 9, 9, 9})), send_with(0, 2)}));
    EXPECT_EQ(receipt_in(next_of(peer)), kOpening + kSendOfOne + 24u);
    ASSERT_EQ(side().receive(2, 0, 64), Outcome::success);
    EXPECT_EQ(receipt_in(next_of(peer)), kOpening + kSendOfOne + 24u + kSendOfOne);
    EXPECT_FALSE(peer.is_answered(100)) << "a receipt is told once";
}

TEST_F(Receipts, TellNothingOfPartsAndOfReceipts) {
    proves("IW-RDMAP-49");
    RawPeer peer = connected(with_receipts());
    ASSERT_EQ(side().receive(1, 0, 64), Outcome::success);
    peer.say(joined({receipt(0), fpdu(send(1, {1, 2, 3, 4}, false))}));
    EXPECT_FALSE(peer.is_answered(100));
    peer.say(fpdu(send(1, {5}, true, 4)));
    EXPECT_EQ(receipt_in(next_of(peer)), kOpening + 20u + kSendOfOne + kSendOfOne);
}

TEST_F(Receipts, StandInThisSidesNextSend) {
    proves("IW-RDMAP-50");
    RawPeer peer = connected(with_receipts());
    ASSERT_EQ(side().receive(1, 0, 64), Outcome::success);
    peer.say(send_with(0));
    EXPECT_TRUE(reports_received(*side().received, 1, 1));
    ASSERT_EQ(side().send(2, 0, 8), Outcome::success);
    Heard heard = next_of(peer);
    EXPECT_EQ(receipt_in(heard), kOpening + kSendOfOne);
    if (heard.opcode() != kSend) heard = next_of(peer);
    EXPECT_EQ(receipt_in(heard), kOpening + kSendOfOne) << "in any case";
}

TEST_F(Receipts, LeaveBeforeATerminate) {
    proves("IW-RDMAP-52", "IW-ERR-19");
    RawPeer peer = connected(with_receipts());
    ASSERT_EQ(side().receive(1, 0, 64), Outcome::success);
    Octets broken = fpdu(send(2, {1, 2, 3, 4}));
    broken[22] ^= 0x10;
    peer.say(joined({send_with(0), broken}));
    EXPECT_EQ(receipt_in(next_of(peer)), kOpening + kSendOfOne);
    EXPECT_EQ(peer.hear_terminate(), "2/0/02");
    expect_lost();
}

TEST_F(Receipts, LeaveBeforeTheEnd) {
    proves("IW-RDMAP-52", "IW-ERR-14");
    for (int round = 0; round < 8; ++round) {
        OpenStream stream(driver(), {}, 0, with_receipts());
        ASSERT_EQ(stream.side.receive(1, 0, 64), Outcome::success);
        for (int i = 0; i < 100; ++i) (void)stream.side.received->poll(1);  // as a thread that polls all the time
        stream.peer.say(send_with(0));
        EXPECT_TRUE(reports_received(*stream.side.received, 1, 1));
        EXPECT_EQ(stream.side.connector->disconnect().wait(), Outcome::success);
        EXPECT_EQ(receipt_in(next_of(stream.peer)), kOpening + kSendOfOne);
        EXPECT_EQ(stream.peer.stream_end(), StreamEnd::in_order);
    }
}

// The program polled all the time, took its result, and does nothing more.
TEST_F(Receipts, OfAPollerThatStopsAreToldAllTheSame) {
    proves("IW-RDMAP-52");
    RawPeer peer = connected(with_receipts());
    for (Tag tag = 1; tag <= 4; ++tag) ASSERT_EQ(side().receive(tag, 0, 64), Outcome::success);
    for (std::uint32_t msn = 1; msn <= 4; ++msn) {
        for (int i = 0; i < 100; ++i) (void)side().received->poll(1);
        peer.say(send_with(0, msn));
        EXPECT_TRUE(reports_received(*side().received, msn, 1));
        EXPECT_EQ(receipt_in(next_of(peer)), kOpening + msn * kSendOfOne);
    }
}

}  // namespace
}  // namespace opennd::hostile

// SPDX-License-Identifier: MIT
//
// Immediate data with a peer by hand: what it sees and may send where both agreed, and that a peer which did not agree sees none.
#include "conformance/request/immediate.h"

#include "hostile/heard.h"
#include "hostile/hostile_test.h"

namespace opennd::hostile {
namespace {

using conformance::brought;
using conformance::ended;
using conformance::ImmediateEnd;
using support::is;

constexpr conformance::Remote kElsewhere{0x1000, 0x55667788};
constexpr std::uint8_t kImmediateData = 8, kSolicited = 9;
constexpr std::uint64_t kTakesImmediate = 0x4f70656e4e440001;
constexpr auto kWritten = Nd2ImmediateRequestTypeReceiveWriteWithImmediate,
               kWithImmediate = Nd2ImmediateRequestTypeReceiveWithImmediate;

Octets immediate_data(std::uint32_t msn, std::uint32_t data, std::uint8_t opcode = kImmediateData) {
    return fpdu(untagged(opcode, 0, msn, 0, joined({number32(data), Octets{0xff, 0xff, 0xff, 0xff}})));
}

class ImmediateData : public Hostile {
protected:
    // The peer asks as OpenND and takes the offer.
    RawPeer agreed() {
        RawPeer peer = accepted(openly_asked());
        peer.say(fpdu(tagged(kWrite, 1, kTakesImmediate)));
        EXPECT_EQ(accept().wait(), Outcome::success);
        return peer;
    }
    void expect_refused_post() {
        ImmediateEnd end(side());
        EXPECT_TRUE(is(end.send(1, 0, 8, 5), ND_NOT_SUPPORTED));
        EXPECT_TRUE(is(end.write(2, 0, 8, kElsewhere, 5), ND_NOT_SUPPORTED));
        EXPECT_TRUE(side().initiated->poll(1).empty()) << "no trace is left";
    }
};

TEST_F(ImmediateData, IsOfferedInTheReplyToOpenNdAlone) {
    proves("IW-IMM-01", "IW-IOP-18");
    RawPeer peer = connected(openly_asked());
    EXPECT_EQ(reply()[20] & 0xc0, 0xc0) << "A, and B for the Send";
    EXPECT_EQ(reply()[22] & 0xc0, 0x80) << "C for the Write";
}

TEST_F(ImmediateData, IsNotOfferedToOtherPeers) {
    proves("IW-IMM-01", "ND2-IMM-PEER-01");
    RawPeer peer = connected();
    EXPECT_EQ(reply()[20] & 0xc0, 0x80);
    expect_refused_post();
    ASSERT_EQ(side().send(3, 0, 8), Outcome::success);
    EXPECT_EQ(next_message(peer).opcode(), kSend) << "the connection goes on";
}

TEST_F(ImmediateData, IsNotSentToAnOpenNdThatDoesNotTakeTheOffer) {
    proves("IW-IMM-01", "ND2-IMM-PEER-01");
    RawPeer peer = connected(openly_asked());
    expect_refused_post();
}

TEST_F(ImmediateData, OfAPeerThatTookNoOfferEndsTheStream) {
    proves("IW-IMM-01", "IW-NEG-52");
    RawPeer peer = connected(openly_asked());
    ASSERT_EQ(side().receive(1, 0, 64), Outcome::success);
    peer.say(immediate_data(1, 5));
    EXPECT_EQ(peer.hear_terminate(), "0/2/06");
    EXPECT_TRUE(reports_exactly(*side().received, {1}, Outcome::canceled));
    expect_lost();
}

TEST_F(ImmediateData, LeavesBehindAWrite) {
    proves("IW-IMM-02");
    RawPeer peer = agreed();
    ImmediateEnd end(side());
    ASSERT_TRUE(is(end.write(1, 0, 8, kElsewhere, 0x01020304, ND_OP_FLAG_SEND_AND_SOLICIT_EVENT), ND_SUCCESS));
    EXPECT_EQ(next_message(peer).opcode(), kWrite);
    const Heard told = next_message(peer);
    EXPECT_EQ(told.ulpdu, untagged(kSolicited, 0, 1, 0, joined({number32(0x01020304), number32(0)})));
    ASSERT_TRUE(is(end.send(2, 0, 1, 0x05060708), ND_SUCCESS));
    Heard sent = next_message(peer);
    EXPECT_EQ(sent.ulpdu[1], 0x63);
    EXPECT_EQ(number_at(sent.ulpdu, 2), 0x05060708u);
    EXPECT_EQ(number_at(sent.ulpdu, 10), 2u) << "the next MSN";
}

TEST_F(ImmediateData, ArrivesBehindAWrite) {
    proves("IW-IMM-02", "ND2-IMM-WRITE-02");
    RawPeer peer = agreed();
    ImmediateEnd end(side());
    ASSERT_EQ(side().receive(1, 0, 4), Outcome::success);
    ASSERT_EQ(side().receive(2, 0, 4), Outcome::success);
    peer.say(joined({fpdu(tagged(kWrite, stag(), address(100), Octets(3), false)),
                     fpdu(tagged(kWrite, stag(), address(103), Octets(2))), immediate_data(1, 9)}));
    EXPECT_TRUE(brought(end.received(), 1, kWritten, 5, 9)) << "in a receive shorter than eight octets";
    peer.say(immediate_data(2, 10, kSolicited));
    EXPECT_TRUE(brought(end.received(), 2, kWritten, 0, 10)) << "behind no Write";
}

TEST_F(ImmediateData, ArrivesInASend) {
    proves("IW-IMM-03", "ND2-IMM-SEND-01");
    RawPeer peer = agreed();
    ImmediateEnd end(side());
    ASSERT_EQ(side().receive(1, 0, 64), Outcome::success);
    Octets last = untagged(kSend, 0, 1, 3, {4, 5}, true, 0xcafe);
    last[1] |= 0x20;
    peer.say(joined({fpdu(send(1, {1, 2, 3}, false)), fpdu(last)}));
    EXPECT_TRUE(brought(end.received(), 1, kWithImmediate, 5, 0xcafe));
}

TEST_F(ImmediateData, OfAnotherLengthEndsTheStream) {
    proves("IW-IMM-02");
    for (const std::size_t octets : {0, 4, 7, 9, 16}) {
        SCOPED_TRACE(octets);
        OpenStream stream(driver(), {}, 0, openly_asked(), kTakesImmediate);
        ASSERT_EQ(stream.side.receive(1, 0, 64), Outcome::success);
        stream.peer.say(fpdu(untagged(kImmediateData, 0, 1, 0, Octets(octets))));
        EXPECT_EQ(stream.peer.hear_terminate(), "0/2/07");
        EXPECT_TRUE(reports_exactly(*stream.side.received, {1}, Outcome::canceled));
    }
    OpenStream stream(driver(), {}, 0, openly_asked(), kTakesImmediate);
    ASSERT_EQ(stream.side.receive(1, 0, 64), Outcome::success);
    stream.peer.say(fpdu(untagged(kImmediateData, 0, 1, 0, Octets(8), false)));
    EXPECT_EQ(stream.peer.hear_terminate(), "0/2/07");
}

TEST_F(ImmediateData, WithinAMessageEndsTheStream) {
    proves("IW-NEG-79");
    RawPeer peer = agreed();
    ASSERT_EQ(side().receive(1, 0, 64), Outcome::success);
    peer.say(joined({fpdu(send(1, {1, 2, 3}, false)), immediate_data(1, 5)}));
    EXPECT_EQ(peer.hear_terminate(), "1/2/04") << "MO 0 comes first";
}

TEST_F(ImmediateData, OutOfOrderEndsTheStream) {
    proves("IW-NEG-70");
    RawPeer peer = agreed();
    ASSERT_EQ(side().receive(1, 0, 64), Outcome::success);
    peer.say(immediate_data(2, 5));
    EXPECT_EQ(peer.hear_terminate(), "1/2/03");
}

}  // namespace
}  // namespace opennd::hostile

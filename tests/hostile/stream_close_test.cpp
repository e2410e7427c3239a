// SPDX-License-Identifier: MIT
//
// How this side ends a stream in the middle of things: by Flush, by Disconnect, by a Terminate that has to wait.
#include "hostile/hostile_test.h"
#include "support/pattern.h"

namespace opennd::hostile {
namespace {

constexpr std::uint32_t kMuch = 32u << 20;  // more than sockets hold
const conformance::EndpointOptions kMuchMemory{.memory_bytes = kMuch};
constexpr conformance::Remote kElsewhere{0x1000, 0x55667788};

class StreamClose : public Hostile {};

unsigned opcode_of(const std::optional<Octets>& ulpdu) { return ulpdu ? (*ulpdu)[1] & 0xfu : 16u; }

std::uint32_t sink_of(const Octets& question) {
    return std::uint32_t{question[18]} << 24 | std::uint32_t{question[19]} << 16 | std::uint32_t{question[20]} << 8 |
           question[21];
}

// The peer's questions are still answered. The flushed Read is an orphan: its answer goes nowhere.
TEST_F(StreamClose, ByFlushLetsGoOfAnOpenRead) {
    proves("IW-ERR-24");
    RawPeer peer = connected();
    support::fill_with(side().bytes(0, 64), std::byte{0xEE});
    ASSERT_EQ(side().read(1, 0, 8, kElsewhere), Outcome::success);
    const auto question = peer.hear_ulpdu();
    ASSERT_TRUE(question && question->size() == 46);
    ASSERT_EQ(side().queue_pair->flush(), Outcome::success);
    EXPECT_TRUE(reports_exactly(*side().initiated, {1}, Outcome::canceled));
    peer.say(joined(
        {fpdu(tagged(2, sink_of(*question), 0, Octets(8, 1))), fpdu(read_request(1, stag(), address(), 8, 0x1234))}));
    EXPECT_EQ(peer.hear_ulpdu(), tagged(2, 0x1234, 0, Octets(8, 0xEE))) << "nothing came into the memory";
    EXPECT_EQ(side().connector->disconnect().wait(), Outcome::success);
    EXPECT_EQ(peer.stream_end(), StreamEnd::in_order);
}

// Nobody will post a receive for it.
TEST_F(StreamClose, ByFlushRefusesAMessage) {
    proves("ND2-QP-FLUSH-03");
    RawPeer peer = connected();
    ASSERT_EQ(side().queue_pair->flush(), Outcome::success);
    peer.say(fpdu(send(1, {1})));
    EXPECT_EQ(peer.hear_terminate(), "1/2/02");
    expect_lost();
}

TEST_F(StreamClose, ByFlushTakesBackWhatHasNotLeft) {
    proves("IW-ERR-24");
    RawPeer peer = connected({}, {.inbound = 16, .outbound = 1});
    for (Tag tag = 1; tag <= 3; ++tag) ASSERT_EQ(side().read(tag, 0, 8, kElsewhere), Outcome::success);
    EXPECT_EQ(opcode_of(peer.hear_ulpdu()), 1u) << "the first Read; the others wait for its answer";
    ASSERT_EQ(side().queue_pair->flush(), Outcome::success);
    EXPECT_TRUE(reports_exactly(*side().initiated, {1, 2, 3}, Outcome::canceled));
    peer.say(fpdu(read_request(1, stag(), address(), 8)));
    EXPECT_EQ(opcode_of(peer.hear_ulpdu()), 2u) << "an answer, and nothing before it";
}

TEST_F(StreamClose, ByFlushWithinAMessageIsAReset) {
    proves("IW-ERR-24");
    OpenStream stream(driver(), kMuchMemory);
    ASSERT_EQ(stream.side.send(1, 0, kMuch), Outcome::success);
    EXPECT_EQ(opcode_of(stream.peer.hear_ulpdu()), 3u);
    ASSERT_EQ(stream.side.queue_pair->flush(), Outcome::success);
    EXPECT_TRUE(reports_exactly(*stream.side.initiated, {1}, Outcome::canceled));
    EXPECT_EQ(stream.peer.stream_end(), StreamEnd::reset);
}

// Nothing is expected of a peer behind this side's own end: some stop both ways at once.
TEST_F(StreamClose, ByDisconnectWaitsForNoAnswer) {
    proves("IW-ERR-18", "IW-ERR-25");
    RawPeer peer = connected();
    ASSERT_EQ(side().read(1, 0, 8, kElsewhere), Outcome::success);
    ASSERT_EQ(side().send(2, 0, 8), Outcome::success);
    ASSERT_EQ(side().receive(3, 0, 8), Outcome::success);
    EXPECT_EQ(side().connector->disconnect().wait(), Outcome::success) << "the peer has said nothing";
    EXPECT_TRUE(reports_exactly(*side().initiated, {1, 2}, Outcome::canceled));
    EXPECT_TRUE(reports_exactly(*side().received, {3}, Outcome::canceled));
    // Version 2 takes requests behind the end and gives them back (ND2-QP-POST-07).
    EXPECT_EQ(side().send(4, 0, 8), Outcome::success);
    EXPECT_EQ(side().receive(5, 0, 8), Outcome::success);
    EXPECT_TRUE(reports_exactly(*side().initiated, {4}, Outcome::canceled));
    EXPECT_TRUE(reports_exactly(*side().received, {5}, Outcome::canceled));
    EXPECT_EQ(peer.stream_end(), StreamEnd::in_order);
}

// Version 2 takes the Read and completes it as an invalid request, which ends the connection (ND2-QP-READ-03); version
// 1 refuses it at the call.
TEST_F(StreamClose, ByAReadThatWasNotAgreedOnSendsNone) {
    proves("IW-RDMAP-15");
    RawPeer peer = connected({.enhanced = {0x80, 0x00, 0xc0, 0x00}});
    ASSERT_EQ(side().read(1, 0, 8, kElsewhere), Outcome::success);
    EXPECT_TRUE(reports(*side().initiated, RequestKind::read, 1, Outcome::invalid_request));
    EXPECT_EQ(opcode_of(peer.hear_ulpdu()), 7u) << "a Terminate, and no Read Request before it";
}

// Every FPDU up to the Terminate is whole; the message is not.
TEST_F(StreamClose, ByATerminateLeavesAMessageIncomplete) {
    proves("IW-RDMAP-17", "IW-ERR-02");
    OpenStream stream(driver(), kMuchMemory);
    ASSERT_EQ(stream.side.send(1, 0, kMuch), Outcome::success);
    EXPECT_EQ(opcode_of(stream.peer.hear_ulpdu()), 3u);
    stream.peer.say(fpdu(tagged(0, 0xdeadbeef, 0, {1})));
    std::optional<Octets> last;
    for (auto ulpdu = stream.peer.hear_ulpdu(); ulpdu; ulpdu = stream.peer.hear_ulpdu()) {
        if (opcode_of(ulpdu) == 3) {
            EXPECT_EQ((*ulpdu)[0] & 0x40, 0) << "the last segment of the message";
        }
        last = ulpdu;
    }
    EXPECT_EQ(opcode_of(last), 7u);
    EXPECT_TRUE(reports_exactly(*stream.side.initiated, {1}, Outcome::canceled));
}

TEST_F(StreamClose, ByATerminateThatCannotLeaveIsAReset) {
    proves("IW-ERR-03");
    OpenStream stream(driver(), kMuchMemory);
    stream.peer.say(fpdu(read_request(1, stream.stag(), stream.address(), kMuch)));
    EXPECT_EQ(stream.peer.hear(2).size(), 2u) << "the answer has begun, and the peer takes no more of it";
    stream.peer.say(fpdu(tagged(0, 0xdeadbeef, 0, {1})));
    const auto begun = std::chrono::steady_clock::now();
    EXPECT_TRUE(stream.peer.is_reset());
    EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(4)) << "T_term is 2 s";
}

}  // namespace
}  // namespace opennd::hostile

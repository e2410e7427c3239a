// SPDX-License-Identifier: MIT
//
// Streams that are right, or end: portions, ends in the middle, Terminates of the peer, fences.
#include <vector>

#include "hostile/hostile_test.h"
#include "support/pattern.h"

namespace opennd::hostile {
namespace {

class Stream : public Hostile {};

TEST_F(Stream, MayComeInAnyPortions) {
    proves("IW-NEG-46", "IW-DDP-04", "IW-PERF-04");
    RawPeer peer = connected();
    for (Tag tag = 0; tag < 3; ++tag) ASSERT_EQ(side().receive(tag, tag * 64, 64), Outcome::success);
    peer.say_one_by_one(joined({fpdu(send(1, Octets(10, 7))), fpdu(tagged(0, stag(), address(500), {9, 8, 7})),
                                fpdu(send(2, {1, 2}, false)), fpdu(send(2, {3}, true, 2)), fpdu(send(3, {}))}));
    EXPECT_TRUE(reports_received(*side().received, 0, 10));
    EXPECT_TRUE(reports_received(*side().received, 1, 3));
    EXPECT_TRUE(reports_received(*side().received, 2, 0));
    EXPECT_EQ(side().bytes(502, 1)[0], std::byte{7});
}

TEST_F(Stream, AnswersReadsInOrderWithoutAnyCall) {
    proves("IW-RDMAP-06", "IW-RDMAP-27", "IW-RDMAP-28", "IW-RDMAP-32", "IW-NEG-89", "IW-CM-22", "IW-PERF-16",
           "IW-ND-05", "IW-ND-06");
    RawPeer peer = connected();
    support::fill_with(side().bytes(0, 64), std::byte{0x5A});
    peer.say(joined({fpdu(read_request(1, stag(), address(), 3, 0x11223344, 0x1000)),
                     fpdu(read_request(2, 0xdeadbeef, 77, 0, 0x55667788, 9))}));
    EXPECT_EQ(peer.hear_ulpdu(), tagged(2, 0x11223344, 0x1000, {0x5A, 0x5A, 0x5A}));
    EXPECT_EQ(peer.hear_ulpdu(), tagged(2, 0x55667788, 9));
    EXPECT_TRUE(side().received->poll(1).empty());
}

TEST_F(Stream, TakesWhatIsHarmless) {
    proves("IW-NEG-64", "IW-NEG-69", "IW-NEG-82", "IW-SEC-10", "IW-RDMAP-34");
    RawPeer peer = connected();
    ASSERT_EQ(side().receive(1, 0, 64), Outcome::success);
    peer.say(joined({fpdu(tagged(0, 0xdeadbeef, ~std::uint64_t{0})),     // a Write of nothing, to nowhere
                     fpdu(tagged(0, stag(), address(100), {1}, false)),  // a Write without an end
                     fpdu(send(1, {1, 2}, false)),                       // half a Send
                     fpdu(tagged(0, stag(), address(101), {2}, false)),  // within it, another Write
                     fpdu(send(1, {3}, true, 2))}));
    EXPECT_TRUE(reports_received(*side().received, 1, 3));
    EXPECT_EQ(side().bytes(101, 1)[0], std::byte{2});
}

TEST_F(Stream, ThatEndsWithinAMessageGivesNoSuccess) {
    proves("IW-NEG-45", "IW-ERR-13");
    const Octets whole = fpdu(send(1, {1, 2, 3, 4, 5}));
    for (const std::size_t count : {std::size_t{1}, std::size_t{10}, std::size_t{22}, whole.size() - 1}) {
        SCOPED_TRACE(count);
        OpenStream stream(driver());
        Endpoint& other = stream.side;
        RawPeer& peer = stream.peer;
        ASSERT_EQ(other.receive(1, 0, 64), Outcome::success);
        peer.say({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(count)});
        peer.end();
        EXPECT_TRUE(reports_exactly(*other.received, {1}, Outcome::canceled));
        EXPECT_NE(peer.ending(), Ending::none);
    }
}

TEST_F(Stream, ThatIsResetLosesTheConnection) {
    proves("IW-ERR-19", "ND2-GEN-12");
    RawPeer peer = connected();
    ASSERT_EQ(side().receive(1, 0, 64), Outcome::success);
    peer.reset();
    expect_lost();
    EXPECT_TRUE(reports_exactly(*side().received, {1}, Outcome::canceled));
}

TEST_F(Stream, EndsInOrderOnBothSides) {
    proves("IW-ERR-14", "IW-ERR-16", "IW-CM-01");
    RawPeer peer = connected();
    peer.end();
    expect_lost();
    EXPECT_EQ(peer.ending(), Ending::in_order);
    EXPECT_EQ(side().connector->disconnect().wait(), Outcome::success);
}

// What comes back blames the Send behind the one that was placed.
TEST_F(Stream, EndedByATerminateBlamesTheMessageItQuotes) {
    proves("IW-ERR-09", "IW-ERR-20", "IW-RDMAP-41", "IW-NEG-113");
    RawPeer peer = connected();
    for (Tag tag = 1; tag <= 3; ++tag) ASSERT_EQ(side().send(tag, 0, 8), Outcome::success);
    const Octets quoted = untagged(3, 0, 2, 0);
    peer.say(
        joined({fpdu(untagged(7, 2, 1, 0, joined({{0x12, 2, 0xc0, 0}, number(26, 2), quoted}))), fpdu(send(1, {1}))}));
    EXPECT_TRUE(reports(*side().initiated, RequestKind::send, 1, Outcome::success));
    EXPECT_TRUE(reports(*side().initiated, RequestKind::send, 2, Outcome::io_timeout));
    EXPECT_TRUE(reports_exactly(*side().initiated, {3}, Outcome::canceled));
    expect_lost();
    EXPECT_EQ(peer.hear_terminate(), "") << "a Terminate is never answered by one";
}

// The Read before it was never answered; its Terminate is about the Write.
TEST_F(Stream, EndedByATerminateBehindAnOpenReadTellsTheCause) {
    proves("IW-ERR-19", "NDK-QP-COMP-01", "IW-ERR-20");
    RawPeer peer = connected();
    ASSERT_EQ(side().read(1, 0, 8, {0x1000, 0x55667788}), Outcome::success);
    ASSERT_EQ(side().write(2, 0, 8, {0x2000, 0x99aabbcc}), Outcome::success);
    ASSERT_EQ(side().write(3, 0, 8, {0x3000, 0x55667788}), Outcome::success);
    (void)peer.hear_ulpdu();
    const auto write = peer.hear_ulpdu();
    ASSERT_TRUE(write && write->size() == 14 + 8);
    const Octets quoted(write->begin(), write->begin() + 14);
    peer.say(fpdu(untagged(7, 2, 1, 0, joined({{0x11, 0, 0xc0, 0}, number(22, 2), quoted}))));
    EXPECT_TRUE(reports(*side().initiated, RequestKind::read, 1, Outcome::canceled));
    EXPECT_TRUE(reports(*side().initiated, RequestKind::write, 2, Outcome::access_violation));
    EXPECT_TRUE(reports_exactly(*side().initiated, {3}, Outcome::canceled));
    expect_lost();
}

TEST_F(Stream, EndedByATerminateThatSaysLittleOrNonsense) {
    proves("IW-NEG-109", "IW-NEG-110", "IW-NEG-111", "IW-NEG-114", "IW-NEG-115", "IW-ERR-10");
    const std::vector<Octets> cases{
        untagged(7, 2, 1, 0),                            // no control field
        untagged(7, 2, 1, 0, {0x12}),                    // cut
        untagged(7, 2, 1, 0, {0x12, 2, 0xc0, 0, 0, 9}),  // the header it announces is missing
        untagged(7, 2, 1, 0, {0x35, 0x99, 0, 0}),        // layer and code that nobody has
        untagged(7, 2, 2, 0, {0x20, 2, 0, 0}),           // MSN 2
        untagged(7, 2, 1, 0, joined({{0x12, 2, 0xc0, 0}, number(26, 2), untagged(3, 0, 99, 0)})),  // never sent
    };
    for (std::size_t i = 0; i < cases.size(); ++i) {
        SCOPED_TRACE(i);
        OpenStream stream(driver());
        Endpoint& other = stream.side;
        RawPeer& peer = stream.peer;
        const Operation lost = other.connector->notify_disconnect();
        ASSERT_EQ(other.send(1, 0, 8), Outcome::success);
        peer.say(fpdu(cases[i]));
        const auto result = conformance::next(*other.initiated);
        EXPECT_NE(result.outcome, Outcome::success);
        EXPECT_NE(result.outcome, Outcome::nothing_by_the_deadline);
        EXPECT_EQ(lost.wait(), Outcome::success);
        EXPECT_EQ(peer.hear_terminate(), "");
    }
}

TEST_F(Stream, FencesWhatItSends) {
    proves("IW-RDMAP-39");
    RawPeer peer = connected();
    ASSERT_EQ(side().send(1, 0, 8), Outcome::success);
    const auto message = peer.hear_ulpdu(), fence = peer.hear_ulpdu();
    ASSERT_TRUE(message && fence && fence->size() == 46);
    EXPECT_EQ((*fence)[1], 0x41) << "a Read Request";
    EXPECT_TRUE(side().initiated->poll(1).empty()) << "it may not be placed yet";
    const Octets sink(fence->begin() + 18, fence->begin() + 22);
    peer.say(fpdu(joined({{0xc1, 0x42}, sink, number64(0)})));
    EXPECT_TRUE(reports(*side().initiated, RequestKind::send, 1, Outcome::success));
}

// Linux's soft iWARP does that when it is busy: its last message comes back (docs/decisions/0017).
TEST_F(Stream, TakesAnAnswerToItsFenceThatIsNotEmpty) {
    proves("IW-IOP-05");
    RawPeer peer = connected();
    support::fill_with(side().memory.bytes(), std::byte{0xEE});
    ASSERT_EQ(side().send(1, 0, 8), Outcome::success);
    (void)peer.hear_ulpdu();
    const auto fence = peer.hear_ulpdu();
    ASSERT_TRUE(fence && fence->size() == 46);
    const Octets sink(fence->begin() + 18, fence->begin() + 22);
    peer.say(joined({fpdu(joined({{0x81, 0x42}, sink, number64(0), Octets(16, 1)})),
                     fpdu(joined({{0xc1, 0x42}, sink, number64(16), Octets(4, 1)}))}));
    EXPECT_TRUE(reports(*side().initiated, RequestKind::send, 1, Outcome::success));
    EXPECT_TRUE(support::is_filled_with(side().memory.bytes(), std::byte{0xEE})) << "it goes nowhere";
    ASSERT_EQ(side().receive(2, 0, 8), Outcome::success);
    peer.say(fpdu(send(1, {5})));
    EXPECT_TRUE(reports_received(*side().received, 2, 1)) << "the connection goes on";
}

TEST_F(Stream, WithoutReadsCompletesWhenItIsSent) {
    proves("IW-RDMAP-40");
    RawPeer peer = connected({.enhanced = {0x80, 0x00, 0xc0, 0x00}});
    ASSERT_EQ(side().send(1, 0, 8), Outcome::success);
    EXPECT_TRUE(reports(*side().initiated, RequestKind::send, 1, Outcome::success));
}

}  // namespace
}  // namespace opennd::hostile

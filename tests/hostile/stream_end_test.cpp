// SPDX-License-Identifier: MIT
//
// Streams that are right, or end: portions, ends in the middle, Terminates of the peer, fences.
#include <vector>

#include "conformance/vocabulary/nd1/driver.h"
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
        EXPECT_NE(peer.stream_end(), StreamEnd::none);
    }
}

// Version 1 keeps its receives when the peer ends in order, and loses them with the connection.
TEST_F(Stream, ThatEndsWithinAMessageIsALostConnection) {
    proves("IW-ERR-13", "ND1-EP-GEN-20");
    const auto version_1 = conformance::nd1::open_driver();
    const auto end_after = [&](auto say) {
        OpenStream stream(*version_1);
        const Operation lost = stream.side.connector->notify_disconnect();
        EXPECT_EQ(stream.side.receive(1, 0, 64), Outcome::success);
        say(stream);
        stream.peer.end();
        EXPECT_EQ(lost.wait(), Outcome::success);
        return conformance::next(*stream.side.received, std::chrono::milliseconds(300)).outcome;
    };
    EXPECT_EQ(end_after([](OpenStream&) {}), Outcome::nothing_by_the_deadline) << "in order";
    EXPECT_EQ(end_after([](OpenStream& stream) { stream.peer.say({0, 22, 0x41}); }), Outcome::canceled) << "an FPDU";
    EXPECT_EQ(end_after([](OpenStream& stream) {
                  stream.peer.say(fpdu(send(1, {1, 2}, false)));
              }),
              Outcome::canceled)
        << "a Send";
    EXPECT_EQ(end_after([](OpenStream& stream) {
                  ASSERT_EQ(stream.side.read(2, 0, 8, {0x1000, 0x55667788}), Outcome::success);
                  const auto question = stream.peer.hear_ulpdu();
                  ASSERT_TRUE(question && question->size() == 46);
                  const Octets sink(question->begin() + 18, question->begin() + 22);
                  stream.peer.say(fpdu(joined({{0x81, 0x42}, sink, number64(0), {1, 2}})));
              }),
              Outcome::canceled)
        << "an answer";
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
    EXPECT_EQ(peer.stream_end(), StreamEnd::in_order);
    EXPECT_EQ(side().connector->disconnect().wait(), Outcome::success);
}

// Version 1 has its queues still; nothing of them goes out.
TEST_F(Stream, GetsNothingBehindItsEnd) {
    proves("IW-ERR-14");
    OpenStream stream(*conformance::nd1::open_driver());
    const Operation lost = stream.side.connector->notify_disconnect();
    stream.peer.end();
    ASSERT_EQ(lost.wait(), Outcome::success);
    (void)stream.side.send(1, 0, 8);
    (void)stream.side.read(2, 0, 8, {0x1000, 0x55667788});
    (void)stream.side.write(3, 0, 8, {0x1000, 0x55667788});
    EXPECT_EQ(stream.side.connector->disconnect().wait(), Outcome::success);
    EXPECT_TRUE(stream.peer.hear(1).empty());
}

// The Terminate blames the Send behind the one that was placed.
TEST_F(Stream, EndedByATerminateBlamesTheMessageItQuotes) {
    proves("IW-ERR-09", "IW-ERR-20", "IW-RDMAP-41", "IW-NEG-113");
    RawPeer peer = connected(openly_asked());
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
    struct Case {
        Octets ulpdu;
        Outcome oldest;
    };
    const std::vector<Case> cases{
        {untagged(7, 2, 1, 0), Outcome::data_error},                            // no control field
        {untagged(7, 2, 1, 0, {0x12}), Outcome::data_error},                    // cut
        {untagged(7, 2, 1, 0, {0x12, 2, 0xc0, 0, 0, 9}), Outcome::data_error},  // the header it announces is missing
        {untagged(7, 2, 1, 0, {0x35, 0x99, 0, 0}), Outcome::data_error},        // layer, type and code that nobody has
        {untagged(7, 2, 1, 0, {0x02, 0x77, 0, 0}), Outcome::data_error},        // a code that nobody has
        {untagged(7, 2, 2, 0, {0x20, 2, 0, 0}), Outcome::io_timeout},           // MSN 2, a CRC
        {untagged(7, 2, 1, 0, joined({{0x12, 2, 0xc0, 0}, number(26, 2), untagged(3, 0, 99, 0)})),
         Outcome::canceled},  // never sent: nobody is to blame
    };
    for (std::size_t i = 0; i < cases.size(); ++i) {
        SCOPED_TRACE(i);
        OpenStream stream(driver());
        Endpoint& other = stream.side;
        RawPeer& peer = stream.peer;
        const Operation lost = other.connector->notify_disconnect();
        ASSERT_EQ(other.read(1, 0, 8, {0x1000, 0x55667788}), Outcome::success);
        ASSERT_EQ(other.read(2, 0, 8, {0x1000, 0x55667788}), Outcome::success);
        peer.say(fpdu(cases[i].ulpdu));
        EXPECT_TRUE(reports(*other.initiated, RequestKind::read, 1, cases[i].oldest));
        EXPECT_TRUE(reports(*other.initiated, RequestKind::read, 2, Outcome::canceled));
        EXPECT_EQ(lost.wait(), Outcome::success);
        EXPECT_EQ(peer.hear_terminate(), "");
    }
}

TEST_F(Stream, FencesWhatItSends) {
    proves("IW-RDMAP-39");
    RawPeer peer = connected(openly_asked());
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
    RawPeer peer = connected(openly_asked());
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

// SPDX-License-Identifier: MIT
//
// Callers that connect to a listener: valid and invalid requests, until the stream is open.
#include <algorithm>
#include <vector>

#include "hostile/hostile_test.h"

namespace opennd::hostile {
namespace {

class Request : public Hostile {};

Octets first(const Octets& octets, std::size_t count) {
    return {octets.begin(), octets.begin() + static_cast<std::ptrdiff_t>(count)};
}

TEST_F(Request, ThatIsNoneIsResetAndNotShown) {
    proves("IW-NEG-01", "IW-NEG-02", "IW-NEG-03", "IW-NEG-05", "IW-NEG-07", "IW-NEG-08", "IW-NEG-34", "IW-CM-15",
           "IW-IOP-34");
    Frame reply{.reply = true};
    Frame long_data, cut, old{.flags = 0x40, .revision = 0, .enhanced = {}}, newer{.revision = 3};
    long_data.length = 513;
    cut.enhanced = {0x80, 0x10, 0xc0};
    Octets wrong_end = octets_of({});
    wrong_end[15] ^= 1;
    const std::string http = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
    const std::vector<Octets> cases{{'X'},          wrong_end,      octets_of(reply), octets_of(long_data),
                                    octets_of(cut), octets_of(old), octets_of(newer), {http.begin(), http.end()},
                                    {0x16, 3, 1, 2}};
    const Operation awaited = awaited_request();
    for (const Octets& octets : cases) {
        RawPeer peer = RawPeer::connected_to(port());
        peer.say(octets);
        EXPECT_EQ(peer.stream_end(), StreamEnd::reset);
    }
    EXPECT_EQ(awaited.now(), Outcome::pending) << "the program was shown one";
    RawPeer peer = RawPeer::connected_to(port());
    peer.say(octets_of({}));
    EXPECT_EQ(awaited.wait(), Outcome::success);
}

TEST_F(Request, MayComeInAnyPortions) {
    proves("IW-NEG-13", "IW-CM-05");
    const Operation awaited = awaited_request();
    RawPeer peer = RawPeer::connected_to(port());
    peer.say_one_by_one(octets_of({.data = {1, 2, 3}}));
    ASSERT_EQ(awaited.wait(), Outcome::success);
    conformance::PrivateData data;
    ASSERT_EQ(side().connector->private_data(data), Outcome::success);
    EXPECT_EQ(data.size(), 3u);
}

// T_frame is 5 s from the first octet to the last, however many come in between, and T_req 10 s to the first.
TEST_F(Request, ThatStallsOrTricklesIsReset) {
    proves("IW-NEG-14", "IW-SEC-15");
    const Octets whole = octets_of({.data = Octets(64)});
    const Operation awaited = awaited_request();
    std::vector<RawPeer> stalled;
    for (const std::size_t count : {0, 1, 15, 16, 19, 20, 23, 24, 87}) {
        stalled.push_back(RawPeer::connected_to(port()));
        stalled.back().say(first(whole, count));
    }
    RawPeer trickling = RawPeer::connected_to(port());
    EXPECT_LT(trickling.say_slowly(whole), whole.size());
    EXPECT_EQ(trickling.stream_end(), StreamEnd::reset);
    for (RawPeer& peer : stalled) EXPECT_EQ(peer.stream_end(), StreamEnd::reset);
    EXPECT_EQ(awaited.now(), Outcome::pending);
}

TEST_F(Request, ThatEndsOrIsResetInTheMiddleIsNotShown) {
    proves("IW-NEG-15", "IW-NEG-16", "IW-CM-15");
    const Octets whole = octets_of({});
    const Operation awaited = awaited_request();
    for (std::size_t count = 0; count < whole.size(); ++count) {
        for (const bool reset : {false, true}) {
            RawPeer peer = RawPeer::connected_to(port());
            peer.say(first(whole, count));
            if (reset)
                peer.reset();
            else
                peer.end();
            if (!reset) {
                EXPECT_NE(peer.stream_end(), StreamEnd::none);
            }
        }
    }
    EXPECT_EQ(awaited.now(), Outcome::pending);
    RawPeer peer = RawPeer::connected_to(port());
    peer.say(whole);
    EXPECT_EQ(awaited.wait(), Outcome::success);
}

TEST_F(Request, WithMoreBehindItIsReset) {
    proves("IW-NEG-17");
    RawPeer glued = RawPeer::connected_to(port());
    glued.say(joined({octets_of({}), {0}}));
    EXPECT_EQ(glued.stream_end(), StreamEnd::reset);
    RawPeer later = requested();
    later.say({0});
    EXPECT_EQ(later.stream_end(), StreamEnd::reset);
    const Operation accept = side().connector->accept(*side().queue_pair, {}, {});
    EXPECT_EQ(accept.wait(), Outcome::connection_aborted);
}

TEST_F(Request, ThatIsTakenBackFailsTheAccept) {
    proves("IW-NEG-35", "IW-CM-13");
    { RawPeer peer = requested(); }
    ASSERT_TRUE(wait_until([&] {
        conformance::PrivateData data;
        return side().connector->private_data(data) == Outcome::connection_aborted;
    }));
    EXPECT_EQ(side().connector->accept(*side().queue_pair, {}, {}).wait(), Outcome::connection_aborted);
}

TEST_F(Request, IsAnsweredInItsOwnTerms) {
    proves("IW-MPA-06", "IW-MPA-12", "IW-MPA-13", "IW-NEG-11", "IW-NEG-12", "IW-NEG-20", "IW-NEG-25");
    // All reserved bits and R set; A without any RTR; no Reads either way.
    Frame request{.flags = 0x7f, .enhanced = {0x80, 0x00, 0x00, 0x00}};
    RawPeer peer = accepted(request);
    ASSERT_EQ(reply().size(), 24u);
    EXPECT_EQ(reply()[16], 0x50) << "C and S, not R";
    EXPECT_EQ(reply()[17], 2);
    EXPECT_EQ(Octets(reply().begin() + 20, reply().end()), (Octets{0x80, 0x00, 0x80, 0x00})) << "A, C, no Reads";
    peer.say(opening());
    EXPECT_EQ(accept().wait(), Outcome::success);
}

TEST_F(Request, OfRevisionOneIsAcceptedWithoutAnOpening) {
    proves("IW-CM-21", "IW-MPA-05");
    RawPeer peer = accepted({.flags = 0x40, .revision = 1, .enhanced = {}});
    EXPECT_EQ(reply().size(), 20u);
    EXPECT_EQ(reply()[17], 1);
    EXPECT_EQ(accept().wait(), Outcome::success) << "nothing is owed";
}

TEST_F(Request, IsRejectedWithDataAndAnEndInOrder) {
    proves("IW-CM-14", "IW-CM-24");
    RawPeer peer = requested();
    ASSERT_EQ(side().connector->reject(conformance::PrivateData(5, std::byte{7})), Outcome::success);
    const Octets reply = peer.hear_frame();
    ASSERT_EQ(reply.size(), 29u);
    EXPECT_EQ(reply[16] & 0x20, 0x20) << "R";
    peer.end();
    EXPECT_EQ(peer.stream_end(), StreamEnd::in_order);
}

TEST_F(Request, KeepsTheResponderSilentUntilItIsOpened) {
    proves("IW-CM-07", "IW-CM-12", "IW-ERR-04");
    RawPeer peer = accepted();
    ASSERT_EQ(side().send(1, 0, 8), Outcome::success);
    EXPECT_EQ(accept().now(), Outcome::pending);
    EXPECT_FALSE(peer.is_answered(50)) << "the Send waits";
    peer.say(opening());
    const auto message = peer.hear_ulpdu();
    ASSERT_TRUE(message);
    EXPECT_EQ((*message)[1], 0x43) << "the Send, and nothing before it";
    EXPECT_EQ(accept().wait(), Outcome::success);
}

TEST_F(Request, WhoseFirstMessageIsBrokenIsResetWithoutAWord) {
    proves("IW-NEG-28", "IW-ERR-04");
    RawPeer peer = accepted();
    Octets broken = opening();
    broken.back() ^= 1;
    peer.say(broken);
    EXPECT_EQ(peer.stream_end(), StreamEnd::reset);
    EXPECT_EQ(accept().wait(), Outcome::connection_aborted);
}

TEST_F(Request, OpensWithAnyMessage) {
    proves("IW-NEG-30");
    RawPeer peer = accepted();
    ASSERT_EQ(side().receive(1, 0, 8), Outcome::success);
    peer.say(fpdu(send(1, {1, 2, 3})));
    EXPECT_EQ(accept().wait(), Outcome::success);
    EXPECT_TRUE(reports_received(*side().received, 1, 3));
}

// And this side sends from then on.
TEST_F(Request, OpensWithAReadOfTheProgramsMemory) {
    proves("IW-NEG-30");
    RawPeer peer = accepted();
    ASSERT_EQ(side().send(1, 0, 8), Outcome::success);
    peer.say(fpdu(read_request(1, stag(), address(), 4)));
    const auto first = peer.hear_ulpdu(), second = peer.hear_ulpdu();
    ASSERT_TRUE(first && second);
    EXPECT_EQ(std::min((*first)[1], (*second)[1]), 0x42) << "the answer";
    EXPECT_EQ(std::max((*first)[1], (*second)[1]), 0x43) << "the Send";
    EXPECT_EQ(accept().wait(), Outcome::success);
}

TEST_F(Request, OpensWithAMessageThatFindsNoReceive) {
    proves("IW-NEG-30");
    RawPeer peer = accepted();
    peer.say(fpdu(send(1, {})));
    EXPECT_EQ(peer.hear_terminate(), "1/2/02");
    EXPECT_EQ(accept().wait(), Outcome::success) << "it was opened, and is lost";
}

// Both come at once: the program learns of the connection, and of its end.
TEST_F(Request, OpensThoughTheNextMessageFailsTheQueuePair) {
    proves("IW-NEG-30", "ND2-QP-SEND-07");
    RawPeer peer = accepted();
    ASSERT_EQ(side().receive(1, 0, 4), Outcome::success);
    peer.say(joined({opening(), fpdu(send(1, Octets(8)))}));
    EXPECT_EQ(accept().wait(), Outcome::success);
    EXPECT_TRUE(reports(*side().received, RequestKind::receive, 1, Outcome::data_overrun));
    EXPECT_EQ(side().connector->notify_disconnect().wait(), Outcome::success);
}

TEST_F(Request, IsRefusedByATerminateInsteadOfAnOpening) {
    proves("IW-CM-13");
    RawPeer peer = accepted();
    peer.say(fpdu(untagged(7, 2, 1, 0, {0x20, 5, 0, 0})));
    EXPECT_EQ(accept().wait(), Outcome::connection_refused);
}

// A Connect that is cancelled resets the stream, and its end may meet the Reply on its way.
TEST_F(Request, ThatIsResetInsteadOfOpenedIsAborted) {
    proves("ND2-CON-ACC-03", "ND2-CON-ACC-10");
    RawPeer peer = accepted();
    peer.reset();
    EXPECT_EQ(accept().wait(), Outcome::connection_aborted);
}

TEST_F(Request, ThatEndsInOrderInsteadOfAnOpeningIsRefused) {
    proves("IW-CM-13", "ND2-CON-ACC-03");
    RawPeer peer = accepted();
    peer.end();
    EXPECT_EQ(accept().wait(), Outcome::connection_refused);
}

TEST_F(Request, OfManyThatSayNothingLeavesRoomForOneThatDoes) {
    proves("IW-NEG-31", "IW-SEC-15");
    port();
    std::vector<RawPeer> silent;
    for (int i = 0; i < 200; ++i) silent.push_back(RawPeer::connected_to(port()));
    expect_service();
    EXPECT_FALSE(silent.front().is_reset(0)) << "a burst is no attack";
    EXPECT_TRUE(wait_until([&] {
        if (silent.size() < 240) silent.push_back(RawPeer::connected_to(port()));
        return silent.front().is_reset(100);
    })) << "the oldest goes first, when it has been silent for long";
    EXPECT_FALSE(silent.back().is_reset(0));
}

// All are there before the first of them asks.
TEST_F(Request, OfABurstIsHeardOfEach) {
    proves("IW-SEC-15");
    std::vector<RawPeer> peers;
    for (int i = 0; i < 200; ++i) peers.push_back(RawPeer::connected_to(port()));
    expect_service();  // so they have been taken
    for (RawPeer& peer : peers) peer.say(octets_of({}));
    for (int i = 0; i < 200; ++i) {
        const auto connector = side().adapter->create_connector();
        ASSERT_EQ(request_for(*connector).wait(), Outcome::success) << i;
    }
}

// More than may be silent at a time from one address, and none of them is: whenever this side takes them.
TEST_F(Request, OfManyAtOnceIsHeardOfEach) {
    proves("IW-SEC-15");
    for (int round = 0; round < 5; ++round) {
        std::vector<RawPeer> peers;
        for (int i = 0; i < 100; ++i) {
            peers.push_back(RawPeer::connected_to(port()));
            peers.back().say(octets_of({}));
        }
        for (int i = 0; i < 100; ++i) {
            const auto connector = side().adapter->create_connector();
            ASSERT_EQ(request_for(*connector).wait(), Outcome::success) << "the " << i << "th of round " << round;
        }
    }
}

}  // namespace
}  // namespace opennd::hostile

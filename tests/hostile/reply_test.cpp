// SPDX-License-Identifier: MIT
//
// Listeners that this side connects to: valid and invalid replies.
#include <vector>

#include "hostile/hostile_test.h"

namespace opennd::hostile {
namespace {

class Reply : public Hostile {
protected:
    Operation connecting() {
        EXPECT_EQ(side().connector->bind(conformance::local_address()), Outcome::success);
        return side().connector->connect(*side().queue_pair, conformance::local_address(listener_.port()), {}, {});
    }
    // Its request was heard.
    RawPeer asked(std::size_t octets = 24) { return asked(listener_, octets); }
    RawPeer asked(RawListener& listener, std::size_t octets) {
        RawPeer peer = listener.accept();
        request_ = peer.hear_frame();
        EXPECT_EQ(request_.size(), octets);
        return peer;
    }
    static Frame accepting(Octets enhanced = {0x80, 0x10, 0x80, 0x10}) {
        return {.reply = true, .enhanced = std::move(enhanced)};
    }

    RawListener listener_;
    Octets request_;
};

TEST_F(Reply, FollowsARequestOfRevisionTwo) {
    proves("IW-MPA-11", "IW-CM-06", "IW-CM-08", "IW-CM-10");
    const Operation connect = connecting();
    RawPeer peer = asked();
    EXPECT_EQ(request_[16], 0x55) << "C and S, this maker, and receipts";
    EXPECT_EQ(request_[17], 2);
    EXPECT_EQ(Octets(request_.begin() + 20, request_.end()), (Octets{0x80, 0x10, 0xc0, 0x10}));
    peer.say(octets_of(accepting()));
    ASSERT_EQ(connect.wait(), Outcome::success);
    EXPECT_EQ(side().connector->complete_connect().wait(), Outcome::success);
    EXPECT_EQ(peer.hear(20), opening()) << "the RTR, first of all";
}

// Linux's soft iWARP may miss one that comes at once (docs/decisions/0016).
TEST_F(Reply, IsFollowedByOpeningsUntilThePeerIsHeard) {
    proves("IW-CM-08");
    const Operation connect = connecting();
    RawPeer peer = asked();
    peer.say(octets_of(accepting()));
    ASSERT_EQ(connect.wait(), Outcome::success);
    ASSERT_EQ(side().connector->complete_connect().wait(), Outcome::success);
    EXPECT_EQ(peer.hear(20), opening());
    ASSERT_EQ(side().receive(1, 0, 8), Outcome::success);
    EXPECT_EQ(peer.hear(20), opening()) << "once more";
    peer.say(fpdu(send(1, {5})));
    EXPECT_TRUE(reports_received(*side().received, 1, 1));
    ASSERT_EQ(side().send(2, 0, 8), Outcome::success);
    std::optional<Octets> next = peer.hear_ulpdu();
    if (next && next->size() == 14) next = peer.hear_ulpdu();  // one may have been on its way
    ASSERT_TRUE(next);
    EXPECT_EQ((*next)[1], 0x43) << "the Send";
}

TEST_F(Reply, ThatIsNoneEndsTheConnect) {
    proves("IW-NEG-04", "IW-NEG-05", "IW-NEG-07", "IW-NEG-15", "IW-NEG-16");
    Frame request, long_data = accepting(), cut = accepting({0x80, 0x10, 0x80});
    long_data.length = 0xffff;
    Octets half = octets_of(accepting());
    half.resize(21);
    for (const Octets& octets :
         {octets_of(request), octets_of(long_data), octets_of(cut), Octets{'2', '2', '0'}, half}) {
        Endpoint other(driver(), {});
        ASSERT_EQ(other.connector->bind(conformance::local_address()), Outcome::success);
        const Operation connect =
            other.connector->connect(*other.queue_pair, conformance::local_address(listener_.port()), {}, {});
        RawPeer peer = asked();
        peer.say(octets);
        if (octets == half) peer.end();
        EXPECT_EQ(connect.wait(), Outcome::connection_refused);
    }
}

TEST_F(Reply, ThatTricklesTimesOut) {
    proves("IW-NEG-14");
    Frame reply = accepting();
    reply.data = Octets(64);
    const Operation connect = connecting();
    RawPeer peer = asked();
    const Octets whole = octets_of(reply);
    EXPECT_LT(peer.say_slowly(whole), whole.size());
    EXPECT_EQ(connect.wait(), Outcome::io_timeout);
}

TEST_F(Reply, OfRevisionOneIsTriedForOnce) {
    proves("IW-NEG-09", "IW-NEG-10", "IW-CM-17", "IW-IOP-35");
    for (const bool lower : {true, false}) {
        RawListener listener;  // each of its own: a listener's dialect is remembered (IW-CM-19)
        Endpoint other(driver(), {});
        ASSERT_EQ(other.connector->bind(conformance::local_address()), Outcome::success);
        const Operation connect =
            other.connector->connect(*other.queue_pair, conformance::local_address(listener.port()), {}, {});
        {
            RawPeer peer = asked(listener, 24);
            const auto revision = static_cast<std::uint8_t>(lower ? 1 : 2);
            peer.say(octets_of({.reply = true, .flags = 0x40, .revision = revision, .enhanced = {}}));
            EXPECT_NE(peer.stream_end(), StreamEnd::none);
        }
        RawPeer again = asked(listener, 20);
        EXPECT_EQ(request_[17], 1);
        again.say(octets_of({.reply = true, .flags = 0x40, .revision = 1, .enhanced = {}}));
        EXPECT_EQ(connect.wait(), Outcome::success);
    }
}

TEST_F(Reply, ThatDoesNotComeIsTriedForOnceInRevisionOne) {
    proves("IW-CM-17", "IW-CM-18");
    const Operation connect = connecting();
    { RawPeer peer = asked(); }
    { RawPeer again = asked(20); }
    EXPECT_EQ(connect.wait(), Outcome::connection_refused);
}

TEST_F(Reply, WithUnacceptableTermsGetsTheTerminateForThem) {
    proves("IW-NEG-21", "IW-NEG-22", "IW-NEG-23");
    struct Case {
        Octets enhanced;
        const char* terminate;
    };
    for (const Case& each : std::vector<Case>{{{0xc0, 0x10, 0x00, 0x10}, "2/0/07"},     // only a Send
                                              {{0x80, 0x10, 0x00, 0x10}, "2/0/07"},     // nothing
                                              {{0x80, 0x10, 0xbf, 0xfe}, "2/0/06"}}) {  // 16382 Reads
        Endpoint other(driver(), {});
        ASSERT_EQ(other.connector->bind(conformance::local_address()), Outcome::success);
        const Operation connect =
            other.connector->connect(*other.queue_pair, conformance::local_address(listener_.port()), {}, {});
        RawPeer peer = asked();
        peer.say(octets_of(accepting(each.enhanced)));
        EXPECT_EQ(peer.hear_terminate(), each.terminate);
        EXPECT_EQ(connect.wait(), Outcome::connection_refused);
    }
}

TEST_F(Reply, ThatRejectsIsRefusedWithItsData) {
    proves("IW-NEG-33", "IW-CM-24");
    const Operation connect = connecting();
    RawPeer peer = asked();
    Frame no = accepting();
    no.flags = 0x70;
    no.data = {'n', 'o'};
    peer.say(octets_of(no));
    peer.end();
    EXPECT_EQ(connect.wait(), Outcome::connection_refused);
    conformance::PrivateData data;
    ASSERT_EQ(side().connector->private_data(data), Outcome::success);
    EXPECT_EQ(data.size(), 2u);
}

TEST_F(Reply, WithAMessageBehindItKeepsIt) {
    proves("IW-NEG-18", "IW-CM-09");
    ASSERT_EQ(side().receive(1, 0, 8), Outcome::success);
    const Operation connect = connecting();
    RawPeer peer = asked();
    peer.say(joined({octets_of(accepting()), fpdu(send(1, {1, 2, 3, 4}))}));
    ASSERT_EQ(connect.wait(), Outcome::success);
    ASSERT_EQ(side().connector->complete_connect().wait(), Outcome::success);
    EXPECT_TRUE(reports_received(*side().received, 1, 4));
}

TEST_F(Reply, ThatComesTwiceIsABrokenMessage) {
    proves("IW-NEG-32", "IW-NEG-26");
    const Operation connect = connecting();
    RawPeer peer = asked();
    Frame without_crc = accepting();
    without_crc.flags = 0x10;  // the Request has C: CRC stays on
    peer.say(octets_of(without_crc));
    ASSERT_EQ(connect.wait(), Outcome::success);
    ASSERT_EQ(side().connector->complete_connect().wait(), Outcome::success);
    const Operation lost = side().connector->notify_disconnect();
    // Read as an FPDU it is long: the rest follows.
    peer.say(joined({octets_of(accepting()), Octets(20'000)}));
    EXPECT_EQ(peer.hear_terminate(), "2/0/02");
    EXPECT_EQ(lost.wait(), Outcome::success);
}

}  // namespace
}  // namespace opennd::hostile

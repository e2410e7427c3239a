// SPDX-License-Identifier: MIT
//
// The peers recognised as OpenND, and the features that others never see: fences, reserved bits. docs/decisions/0026.
#include <cstdlib>

#include "hostile/hostile_test.h"
#include "process/child.h"

namespace opennd::hostile {
namespace {

constexpr std::uint8_t kUsual = 0x50;  // C and S
constexpr std::uint8_t kAsked = 0x55, kAnswered = 0x52, kReceipts = 0x04;

bool is_fence(const std::optional<Octets>& ulpdu) {
    return ulpdu && ulpdu->size() == 46 && (*ulpdu)[1] == 0x41 &&
           Octets(ulpdu->begin() + 30, ulpdu->begin() + 34) == number32(0);
}

// The stream is open. Whether this side fences a Send; if it does not, the Send is complete.
bool fences(Endpoint& side, RawPeer& peer) {
    EXPECT_EQ(side.send(1, 0, 8), Outcome::success);
    auto message = peer.hear_ulpdu();
    while (message && message->size() == 14) message = peer.hear_ulpdu();  // openings
    EXPECT_TRUE(message && (*message)[1] == 0x43) << "the Send";
    if (conformance::next(*side.initiated, std::chrono::milliseconds(200)).outcome == Outcome::success) {
        EXPECT_EQ(side.send(2, 0, 8), Outcome::success);
        const auto next = peer.hear_ulpdu();
        return is_fence(next);
    }
    return is_fence(peer.hear_ulpdu());
}

class Recognition : public Hostile {};

TEST_F(Recognition, OfARequestIsByItsMarkAlone) {
    proves("IW-MPA-04", "IW-RDMAP-39", "IW-NEG-11");
    for (const int reserved : {0, 1, 2, 3, 5, 8, 9, 15}) {
        SCOPED_TRACE(reserved);
        OpenStream stream(driver(), {}, 0, {.flags = static_cast<std::uint8_t>(kUsual | reserved)});
        ASSERT_EQ(stream.reply.size(), 24u);
        const bool marked = reserved == 1 || reserved == 5;
        const std::uint8_t receipts = reserved == 5 ? kReceipts : 0;
        EXPECT_EQ(stream.reply[16], marked ? kAnswered | receipts : kUsual);
        if (receipts == 0) {
            EXPECT_EQ(fences(stream.side, stream.peer), marked);
        }
    }
}

// Linux's soft iWARP sends the Request's reserved bits back.
TEST_F(Recognition, OfAReplyIsByItsMarkAlone) {
    proves("IW-MPA-04", "IW-RDMAP-39");
    for (const int reserved : {0, 1, 2, 3, 6, 10, 15}) {
        SCOPED_TRACE(reserved);
        RawListener listener;
        Endpoint other(driver(), {});
        ASSERT_EQ(other.connector->bind(conformance::local_address()), Outcome::success);
        const Operation connect =
            other.connector->connect(*other.queue_pair, conformance::local_address(listener.port()), {}, {});
        RawPeer peer = listener.accept();
        const Octets request = peer.hear_frame();
        ASSERT_EQ(request.size(), 24u);
        EXPECT_EQ(request[16], kAsked);
        peer.say(octets_of({.reply = true,
                            .flags = static_cast<std::uint8_t>(kUsual | reserved),
                            .enhanced = {0x80, 0x10, 0x80, 0x10}}));
        ASSERT_EQ(connect.wait(), Outcome::success);
        ASSERT_EQ(other.connector->complete_connect().wait(), Outcome::success);
        if (reserved != 6) {  // receipts (receipt_test.cpp)
            EXPECT_EQ(fences(other, peer), reserved == 2);
        }
    }
}

TEST(Settings, FenceWhatGoesToAnyPeer) {
    proves("IW-RDMAP-39");
    process::in_child([] {
        ::setenv("OPENND_IWARP_COMPLETION", "fenced", 1);
        const conformance::PinnedTransport transport("iwarp");
        const auto driver = conformance::nd2::open_driver();
        OpenStream stream(*driver);
        EXPECT_TRUE(fences(stream.side, stream.peer));
    });
}

// Between two of ours, whatever the proof is: success means placed, and the right request fails.
TEST(Settings, OfTheProofChangeNoResult) {
    proves("IW-RDMAP-39", "IW-RDMAP-49", "ND2-QP-SEND-02", "ND2-QP-RDMA-03");
    for (const char* const proof : {"auto", "fenced"}) {
        process::in_child([&] {
            ::setenv("OPENND_IWARP_COMPLETION", proof, 1);
            const conformance::PinnedTransport transport("iwarp");
            const auto driver = conformance::nd2::open_driver();
            ConnectedPair pair(*driver);
            ASSERT_EQ(pair.a.write(1, 0, 64, pair.b.remote()), Outcome::success);
            ASSERT_EQ(pair.a.send(2, 0, 64), Outcome::success);
            EXPECT_TRUE(reports(*pair.a.initiated, RequestKind::write, 1, Outcome::success));
            EXPECT_TRUE(pair.a.initiated->poll(1).empty()) << "it waits for a receive";
            ASSERT_EQ(pair.b.receive(3, 0, 64), Outcome::success);
            EXPECT_TRUE(reports(*pair.a.initiated, RequestKind::send, 2, Outcome::success));
            EXPECT_TRUE(reports_received(*pair.b.received, 3, 64));
            ASSERT_EQ(pair.a.write(4, 0, 64, pair.b.remote()), Outcome::success);
            ASSERT_EQ(pair.a.write(5, 0, 64, {0x1000, 0x55667788}), Outcome::success);
            (void)pair.a.write(6, 0, 64, pair.b.remote());
            EXPECT_TRUE(reports(*pair.a.initiated, RequestKind::write, 4, Outcome::success));
            EXPECT_TRUE(reports(*pair.a.initiated, RequestKind::write, 5, Outcome::access_violation));
        });
    }
}

TEST(Settings, FenceNothing) {
    process::in_child([] {
        ::setenv("OPENND_IWARP_COMPLETION", "local", 1);
        const conformance::PinnedTransport transport("iwarp");
        const auto driver = conformance::nd2::open_driver();
        OpenStream stream(*driver, {}, 0, openly_asked());
        EXPECT_FALSE(fences(stream.side, stream.peer));
    });
}

}  // namespace
}  // namespace opennd::hostile

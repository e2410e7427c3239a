// SPDX-License-Identifier: MIT
//
// Peers that break the rules of [MS-SMBD] 3.1.5.8, or keep them and want this side's memory.
#include <gtest/gtest.h>

#include "peer.h"

namespace smb_direct::test {
namespace {

// A change to a message that is right without it.
void expect_end(void (*change)(DataTransfer&), std::size_t octets = 124) {
    Peer peer;
    DataTransfer header;
    header.credits_requested = 1;
    header.data_offset = 24;
    header.data_length = 100;
    change(header);
    Bytes message(124);
    write(header, message);
    message.resize(octets);
    EXPECT_THROW(peer.say(message), ProtocolError);
}

TEST(HostilePeer, EndsTheConnection) {
    expect_end([](DataTransfer&) {}, 19);
    expect_end([](DataTransfer&) {}, 123);
    expect_end([](DataTransfer& each) { each.credits_requested = 0; });
    expect_end([](DataTransfer& each) { each.data_offset = 20; });
    expect_end([](DataTransfer& each) { each.data_offset = 16; });
    expect_end([](DataTransfer& each) { each.data_offset = 32; });
    expect_end([](DataTransfer& each) { each.data_offset = 0xFFFFFFF8, each.data_length = 16; });
    expect_end([](DataTransfer& each) { each.data_length = 101; });
    expect_end([](DataTransfer& each) { each.remaining_data_length = (1 << 20) - 99; });
    expect_end([](DataTransfer& each) { each.remaining_data_length = 0xFFFFFFFF; });
}

TEST(HostilePeer, SendsWithoutACredit) {
    Peer peer({}, {.credits = 2});
    peer.grant(0);
    peer.grant(0);
    EXPECT_FALSE(peer.hear()) << "it granted nothing, so nobody can answer";
    EXPECT_THROW(peer.say(message_of({}, 0, 0, 2)), ProtocolError);
}

TEST(HostilePeer, GrantsMoreThanACountHolds) {
    Peer peer;
    peer.grant(0xFFFF);
    EXPECT_THROW(peer.say(message_of({}, 1, 0, 255)), ProtocolError);
}

TEST(HostilePeer, ContinuesAnotherMessageThanItBegan) {
    for (const std::uint32_t rest : {499u, 501u}) {
        Peer peer;
        peer.send(numbered(100), 1, 600);
        EXPECT_THROW(peer.send(numbered(100), 1, rest), ProtocolError);
    }
}

// The upper layer takes nothing, as one that waits for a send to this peer.
TEST(HostilePeer, SendsMessagesWithoutEnd) {
    Limits limits;
    limits.most_waiting = 4;
    Peer peer(limits);
    peer.grant(1000);
    unsigned messages = 0;
    while (peer.credits > 0) {
        peer.send(numbered(8000), 1);
        peer.hear_all();
        ASSERT_LT(++messages, 1000u) << "it gets credits without end";
    }
    EXPECT_FALSE(peer.hear());
    // The upper layer takes some again, and the peer may go on.
    for (unsigned i = 0; i + 4 < messages; ++i) ASSERT_TRUE(peer.session.received());
    EXPECT_EQ(peer.hear()->credits_granted, 255);
}

TEST(HostilePeer, SpeaksBeforeTheAnswer) {
    Session client(Role::initiator, {});
    ASSERT_TRUE(next_of(client));
    EXPECT_THROW(client.take(message_of({}, 1, 0, 255)), ProtocolError) << "of 20 bytes, and no answer";
    Session server(Role::responder, {});
    EXPECT_THROW(server.take(Bytes(19)), ProtocolError);
}

}  // namespace
}  // namespace smb_direct::test

// SPDX-License-Identifier: MIT
//
// Fences beside the program's Reads: each takes a place among the Reads that were agreed on, and confirms that earlier
// messages were placed.
#include "hostile/heard.h"
#include "hostile/hostile_test.h"

namespace opennd::hostile {
namespace {

constexpr conformance::Remote kElsewhere{0x1000, 0x55667788};

class StreamFence : public Hostile {
protected:
    static Octets answer(const Heard& question, std::size_t octets = 0) {
        return fpdu(tagged(2, question.sink(), 0, Octets(octets)));
    }
    // A Read Request with octets is the program's.
    static void expect_fence(const Heard& heard) {
        EXPECT_EQ(heard.opcode(), kRead);
        EXPECT_EQ(heard.size(), 0u);
    }
};

TEST_F(StreamFence, IsSentToNobodyWhoTakesNoReads) {
    proves("IW-RDMAP-40", "IW-RDMAP-15");
    RawPeer peer = connected({.flags = 0x51, .enhanced = {0x80, 0x00, 0xc0, 0x00}});
    for (Tag tag = 1; tag <= 2; ++tag) {
        ASSERT_EQ(side().send(tag, 0, 8), Outcome::success);
        EXPECT_EQ(next_of(peer).opcode(), kSend);
        EXPECT_TRUE(reports(*side().initiated, RequestKind::send, tag, Outcome::success));
    }
}

TEST_F(StreamFence, LeavesTheProgramItsReads) {
    proves("IW-RDMAP-39", "IW-RDMAP-14");
    RawPeer peer = connected(openly_asked(), {.inbound = 16, .outbound = 2});
    ASSERT_EQ(side().send(1, 0, 8), Outcome::success);
    ASSERT_EQ(side().send(2, 0, 8), Outcome::success);
    ASSERT_EQ(side().read(3, 0, 8, kElsewhere), Outcome::success);
    EXPECT_EQ(next_of(peer).opcode(), kSend);
    const Heard fence = next_of(peer);
    expect_fence(fence);
    EXPECT_EQ(next_of(peer).opcode(), kSend) << "the next fence is for both, later";
    const Heard read = next_of(peer);
    EXPECT_EQ(read.opcode(), kRead);
    EXPECT_EQ(read.size(), 8u);
    peer.say(joined({answer(fence), answer(read, 8)}));
    EXPECT_TRUE(reports_exactly(*side().initiated, {1, 2, 3}, Outcome::success));
}

// The messages are more than the fences that may be open at a time.
TEST_F(StreamFence, FollowsEachOfManyMessages) {
    proves("IW-RDMAP-39", "IW-RDMAP-22");
    RawPeer peer = connected(openly_asked());
    for (Tag tag = 1; tag <= 20; ++tag) {
        ASSERT_EQ(side().send(tag, 0, 8), Outcome::success);
        EXPECT_EQ(next_of(peer).opcode(), kSend);
        const Heard fence = next_of(peer);
        expect_fence(fence);
        EXPECT_EQ(Octets(fence.ulpdu.begin() + 22, fence.ulpdu.end()), joined({Octets(12), number32(1), number64(0)}))
            << "nothing, of no memory";
        peer.say(answer(fence));
        ASSERT_TRUE(reports(*side().initiated, RequestKind::send, tag, Outcome::success));
    }
}

TEST_F(StreamFence, HoldsTheProgramsReadBackWhereOneWasAgreedOn) {
    proves("IW-RDMAP-14", "IW-RDMAP-39");
    RawPeer peer = connected(openly_asked(), {.inbound = 16, .outbound = 1});
    ASSERT_EQ(side().send(1, 0, 8), Outcome::success);
    ASSERT_EQ(side().read(2, 0, 8, kElsewhere), Outcome::success);
    EXPECT_EQ(next_of(peer).opcode(), kSend);
    const Heard fence = next_of(peer);
    expect_fence(fence);
    peer.say(fpdu(read_request(1, stag(), address(), 8)));
    EXPECT_EQ(next_of(peer).opcode(), kResponse) << "this side answers, and asks nothing more";
    peer.say(answer(fence));
    const Heard read = next_of(peer);
    EXPECT_EQ(read.size(), 8u);
    peer.say(answer(read, 8));
    EXPECT_TRUE(reports_exactly(*side().initiated, {1, 2}, Outcome::success));
}

// The Read is to blame for the damage, since its answer came; the message before it was not confirmed.
TEST_F(StreamFence, IsNotBlamedForADamagedAnswer) {
    proves("IW-ERR-19", "IW-ERR-20");
    RawPeer peer = connected(openly_asked());
    ASSERT_EQ(side().send(1, 0, 8), Outcome::success);
    ASSERT_EQ(side().read(2, 0, 8, kElsewhere), Outcome::success);
    EXPECT_EQ(next_of(peer).opcode(), kSend);
    expect_fence(next_of(peer));
    EXPECT_EQ(next_of(peer).size(), 8u);
    Octets broken = fpdu(send(1, {1, 2, 3, 4}));
    broken[22] ^= 0x10;
    peer.say(broken);
    EXPECT_TRUE(reports(*side().initiated, RequestKind::send, 1, Outcome::canceled));
    EXPECT_TRUE(reports(*side().initiated, RequestKind::read, 2, Outcome::io_timeout));
    expect_lost();
}

// Without fences a message is done when it has left, or with the answer to the Read before it; later messages take
// nothing back.
TEST_F(StreamFence, IsNotNeededForWhatIsDoneAndStaysSo) {
    proves("IW-RDMAP-40", "IW-RDMAP-35");
    RawPeer peer = connected();
    ASSERT_EQ(side().read(1, 0, 8, kElsewhere), Outcome::success);
    ASSERT_EQ(side().send(2, 0, 8), Outcome::success);
    const Heard read = next_of(peer);
    EXPECT_EQ(next_of(peer).opcode(), kSend);
    // Both in one: the answer of this side leaves behind the news that the Send is done.
    peer.say(joined({answer(read, 8), fpdu(read_request(1, stag(), address(), 8))}));
    EXPECT_EQ(next_of(peer).opcode(), kResponse);
    EXPECT_TRUE(reports_exactly(*side().initiated, {1, 2}, Outcome::success));
}

}  // namespace
}  // namespace opennd::hostile

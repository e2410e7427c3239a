// SPDX-License-Identifier: MIT
// How the two sides of a link tell each other of news: by packets that are counted, or without one to a thread that looks.
#include "transport/local/link/link_socket.h"

#include "unit/transport/local/link_fixture.h"

namespace opennd::local {
namespace {

class LinkSocketTest : public LinkFixture {
protected:
    static constexpr std::size_t kMaker = 0, kTaker = 1;

    Ref<Link> link() const { return links_->find(ends_); }
    Bell& bell_here() const { return arena_->bell(kMaker); }
    Bell& bell_of_test() const { return arena_->bell(kTaker); }
    // Nothing is on its way to the test.
    bool hears_nothing() { return receive(socket_).status() == Status::would_block; }
};

TEST_F(LinkSocketTest, RingsAThreadThatLooksWithoutAPacket) {
    bell_of_test().looks = 1;
    EXPECT_TRUE(first_.link_end->wake());
    EXPECT_TRUE(hears_nothing());
    EXPECT_EQ(bell_of_test().rung, 1u);
    EXPECT_TRUE(arena_->news(kTaker).any());
}

TEST_F(LinkSocketTest, RingsByAPacketOtherwise) {
    EXPECT_TRUE(first_.link_end->wake());
    expect(ControlType::wake_up, 0);
    EXPECT_TRUE(first_.link_end->wake());
    expect(ControlType::wake_up, 0);
    EXPECT_TRUE(hears_nothing());
}

TEST_F(LinkSocketTest, RingsOnceForASideThatHasNotTakenTheRing) {
    EXPECT_TRUE(first_.link_end->wake());
    EXPECT_TRUE(first_.link_end->wake());
    EXPECT_EQ(receive(socket_).status(), Status::success);
    EXPECT_TRUE(hears_nothing());
    bell_of_test().rung = 0;
    EXPECT_TRUE(first_.link_end->wake());
    EXPECT_EQ(receive(socket_).status(), Status::success);
}

// A thread that looks may have been stopped.
TEST_F(LinkSocketTest, RingsAgainByAPacket) {
    bell_of_test().looks = 1;
    EXPECT_TRUE(first_.link_end->wake_again());
    expect(ControlType::wake_up, 0);
}

TEST_F(LinkSocketTest, ShowsWhenItIsRung) {
    EXPECT_FALSE(link()->shows_work());
    link()->begin_look();
    EXPECT_EQ(bell_here().looks, 1u);
    bell_here().rung = 1;
    EXPECT_TRUE(link()->shows_work());
    link()->end_look();
    EXPECT_EQ(bell_here().looks, 0u);
    on_loop([&] { link()->on_work(); });
    EXPECT_FALSE(link()->shows_work());
    EXPECT_EQ(first_.user->wake_ups, 0);
}

TEST_F(LinkSocketTest, ServesTheMarkedConnections) {
    arena_->news(kMaker).set(0);
    EXPECT_TRUE(link()->shows_work());
    on_loop([&] { link()->on_work(); });
    EXPECT_FALSE(link()->shows_work());
    EXPECT_EQ(first_.user->wake_ups, 1);
}

TEST_F(LinkSocketTest, CountsItsPackets) {
    EXPECT_EQ(bell_of_test().packets, 0u);
    EXPECT_TRUE(first_.link_end->wake());
    ControlMessage message;
    message.type = ControlType::accept;
    EXPECT_EQ(first_.link_end->send(message), Status::success);
    EXPECT_EQ(bell_of_test().packets, 2u);
    bell_of_test().looks = 1;
    bell_of_test().rung = 0;
    EXPECT_TRUE(first_.link_end->wake());
    EXPECT_EQ(bell_of_test().packets, 2u);
}

TEST_F(LinkSocketTest, DoesNotCountAPacketThatDidNotLeave) {
    std::uint32_t sent = 0;
    ASSERT_EQ(::fcntl(socket_.descriptor(), F_SETFL, O_NONBLOCK), 0);
    while (receive(socket_).ok()) {
    }
    for (std::uint32_t before = UINT32_MAX; before != sent;) {  // until the socket is full
        before = sent;
        bell_of_test().rung = 0;
        EXPECT_TRUE(first_.link_end->wake());
        sent = bell_of_test().packets;
    }
    std::uint32_t heard = 0;
    while (receive(socket_).ok()) ++heard;
    EXPECT_EQ(heard, sent);
}

// The loop tells of packets that arrive together once.
TEST_F(LinkSocketTest, HearsAllPacketsThatAreCounted) {
    ControlMessage message;
    message.type = ControlType::finished;
    on_loop([&] {
        for (int packet = 0; packet < 3; ++packet) {
            bell_here().packets.fetch_add(1);
            EXPECT_EQ(send(socket_, message), Status::success);
        }
    });
    settle();
    EXPECT_EQ(first_.user->records.size(), 3u);
}

TEST_F(LinkSocketTest, HearsPacketsThatAreNotCounted) {
    ControlMessage message;
    message.type = ControlType::finished;
    on_loop([&] {
        for (int packet = 0; packet < 3; ++packet) EXPECT_EQ(send(socket_, message), Status::success);
    });
    settle();
    EXPECT_EQ(first_.user->records.size(), 3u);
}

TEST_F(LinkSocketTest, HearsTheEndBehindPacketsThatAreCounted) {
    ControlMessage message;
    message.type = ControlType::finished;
    on_loop([&] {
        bell_here().packets.fetch_add(1);
        EXPECT_EQ(send(socket_, message), Status::success);
        socket_ = LocalSocket();
    });
    settle();
    EXPECT_EQ(first_.user->records.size(), 1u);
    EXPECT_EQ(first_.user->left, 1);
}

// More packets than are heard at once, and the end behind them.
TEST_F(LinkSocketTest, HearsTheEndBehindManyPackets) {
    ControlMessage message;
    message.type = ControlType::finished;
    on_loop([&] {
        for (int packet = 0; packet < 80; ++packet) {
            bell_here().packets.fetch_add(1);
            EXPECT_EQ(send(socket_, message), Status::success);
        }
        socket_ = LocalSocket();
    });
    settle();
    settle();
    EXPECT_EQ(first_.user->records.size(), 80u);
    EXPECT_EQ(first_.user->left, 1);
}

}  // namespace
}  // namespace opennd::local

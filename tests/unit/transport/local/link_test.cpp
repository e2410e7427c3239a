// SPDX-License-Identifier: MIT
// One end of a link: whose record is whose, who is woken, and the end of connections and of the link.
#include <vector>

#include "link_fixture.h"
#include "support/requirement.h"
#include "transport/local/link/dial.h"

namespace opennd::local {
namespace {

class RecordingTaker final : public RequestTaker {
public:
    std::vector<std::uint64_t> nonces;

private:
    void take_request(const Ref<Link>&, ReceivedControl& request) override { nonces.push_back(request.message.nonce); }
};

class LinkTest : public LinkFixture {
protected:
    void expect_refusal(ControlType type, std::uint64_t nonce) {
        const auto received = hear();
        ASSERT_TRUE(received) << "the link ended";
        EXPECT_EQ(received->message.type, type);
        EXPECT_EQ(received->message.nonce, nonce);
    }
    // It has a turn.
    static bool is_free(ChunkPool& pool, std::uint32_t chunk) {
        bool found = false;
        for (std::uint32_t turn = 0; turn < 2 * kChunkKinds[0].kept; ++turn) {
            ChunkPool::Counts none{};
            std::uint16_t taken = 0;
            EXPECT_EQ(pool.take(0, none, {&taken, 1}), 1u);
            found = found || taken == chunk;
            pool.give({&taken, 1}, none);
        }
        return found;
    }
    void say_ask(const Address& listener, std::uint64_t nonce) {
        ControlMessage message;
        message.type = ControlType::ask;
        message.nonce = nonce;
        message.remote = listener.to_sockaddr();
        ASSERT_EQ(send(socket_, message), Status::success);
        settle();
    }
    // A request of this side, on the link. Returns its nonce.
    std::uint64_t ask(const Ref<Dial>& dial) {
        EXPECT_EQ(on_loop([&] { return dial->ask({}); }), Status::success);
        const auto asked = hear();
        EXPECT_TRUE(asked && asked->message.type == ControlType::ask);
        return asked ? asked->message.nonce : 0;
    }
    Ref<Dial> dial(const Ref<Recorder>& user) {
        return make_ref<Dial>(loop_, links_, *adapter_, links_->find(ends_), Ref<LinkUser>(user));
    }
};

TEST_F(LinkTest, GivesEachConnectionItsOwnRecords) {
    join_second();
    say(ControlType::ready, 2);
    EXPECT_TRUE(first_.user->records.empty());
    EXPECT_EQ(second_.user->records, std::vector{ControlType::ready});
}

TEST_F(LinkTest, EndsAllConnectionsWithTheProcess) {
    support::proves("ND2-CON-DISC-03");
    join_second();
    hang_up();
    EXPECT_EQ(first_.user->left, 1);
    EXPECT_EQ(second_.user->left, 1);
    EXPECT_FALSE(links_->find(ends_));
}

TEST_F(LinkTest, EndsOneConnectionAlone) {
    join_second();
    say(ControlType::leave, 0);
    EXPECT_EQ(first_.user->left, 1);
    EXPECT_EQ(second_.user->left, 0);
    say(ControlType::ready, 2);
    EXPECT_EQ(second_.user->records.size(), 1u);
}

TEST_F(LinkTest, WakesTheConnectionsThatAreMarked) {
    join_second();
    arena_->news(0).set(2);
    ASSERT_EQ(socket_.send(kWakeUp), Status::success);
    settle();
    EXPECT_EQ(first_.user->wake_ups, 0);
    EXPECT_EQ(second_.user->wake_ups, 1);
}

// Each mark of a peer costs one look, at a connection that it has.
TEST_F(LinkTest, WakesNobodyElseForAnyMarks) {
    for (std::uint32_t number = 0; number < NewsMarks::kBits; ++number) arena_->news(0).set(number);
    ASSERT_EQ(socket_.send(kWakeUp), Status::success);
    settle();
    EXPECT_EQ(first_.user->wake_ups, 1);
    EXPECT_EQ(first_.user->left, 0);
}

// Nothing that a peer does to the socket blocks its waker: here it reads nothing, and no shared word says that a call
// shall not wait.
TEST_F(LinkTest, BlocksNobodyWhoWakesAPeerThatDoesNotRead) {
    support::proves("ND2-OVL-24");
    for (int i = 0; i < 1000; ++i) EXPECT_TRUE(first_.link_end->wake_again());
    expect(ControlType::wake_up, 0);
    EXPECT_EQ(receive(socket_).status(), Status::would_block) << "wake-ups that say the same pile up";
    int marks = 0;
    arena_->news(1).take([&](std::uint32_t number) { marks += number == 0 ? 1 : 100; });
    EXPECT_EQ(marks, 1);
    const auto wake = [&] {
        arena_->bell(1).rung = 0;  // as if the peer took each ring
        return first_.link_end->wake();
    };
    while (wake() && socket_.readable() && marks < 100'000) ++marks;
    arena_->bell(1).rung = 0;
    hang_up();
    EXPECT_FALSE(first_.link_end->wake());
}

TEST_F(LinkTest, KeepsRecordsForWhichTheSocketHasNoRoom) {
    ControlMessage message;
    message.type = ControlType::segment_request;
    std::uint32_t in_socket = 0;
    {
        auto ends = LocalSocket::pair().take();
        while (ok(opennd::local::send(ends.first, message))) ++in_socket;
    }
    for (message.segment = 0; message.segment < in_socket + 32; ++message.segment)
        ASSERT_EQ(first_.link_end->send(message), Status::success);
    for (std::uint32_t segment = 0; segment < message.segment; ++segment) {
        const auto received = hear();
        ASSERT_TRUE(received);
        ASSERT_EQ(received->message.segment, segment) << "out of order";
    }
}

TEST_F(LinkTest, EndsForAPeerThatDoesNotListen) {
    ControlMessage message;
    message.type = ControlType::segment_request;
    int sent = 0;
    while (sent < 100'000 && ok(first_.link_end->send(message))) ++sent;
    EXPECT_LT(sent, 100'000) << "records are kept without end";
    settle();
    EXPECT_EQ(first_.user->left, 1);
}

TEST_F(LinkTest, HasASegmentAnewOnceBothSidesHaveReleasedIt) {
    join_second();
    Frame& frame = arena_->frames(1).at(Frames::home(2) + 1);
    frame.mark.store(4);
    arena_->segment(2).lanes[1].wishes.closed.store(1);
    leave(second_);
    expect(ControlType::leave, 2);
    End third;
    third.link_end = on_loop([&] { return links_->find(ends_)->join(Ref<LinkUser>(third.user), 3).value(); });
    expect(ControlType::join, 4);
    leave(third);
    expect(ControlType::leave, 4);
    say(ControlType::leave, 2);
    say_released(2);
    join_second();
    EXPECT_EQ(frame.mark.load(), 0u);
    EXPECT_EQ(arena_->segment(2).lanes[1].wishes.closed.load(), 0u);
}

TEST_F(LinkTest, SaysFarewellOnce) {
    join_second();
    ControlMessage farewell;
    farewell.type = ControlType::disconnect;
    EXPECT_EQ(second_.link_end->send(farewell), Status::success);
    EXPECT_EQ(second_.link_end->send(farewell), Status::disconnected);
    leave(second_);
    expect(ControlType::disconnect, 2);
    EXPECT_EQ(receive(socket_).status(), Status::would_block);
}

// The peer may be reading what this side sent last.
TEST_F(LinkTest, KeepsTheChunksOfAConnectionThatEndedUntilThePeerHasReleasedIt) {
    join_second();
    const Ref<ChunkPool> chunks = second_.link_end->memory()->chunk_pool();
    auto sent = std::make_unique<Holdings>(*second_.link_end->memory(), 2);
    ASSERT_NE(sent->some_chunks()->reserve(1000), nullptr);
    const std::uint32_t chunk = sent->chunks->keep(0, false);
    second_.link_end->keep(std::move(sent));
    leave(second_);
    expect(ControlType::leave, 2);
    EXPECT_FALSE(is_free(*chunks, chunk));
    say(ControlType::leave, 2);
    EXPECT_FALSE(is_free(*chunks, chunk));
    say_released(2);
    EXPECT_TRUE(is_free(*chunks, chunk));
}

TEST_F(LinkTest, KeepsThemUntilThePeerGivesTheNumberAgain) {
    const auto user = make_ref<Recorder>();
    const Ref<Dial> asked = dial(user);
    const std::uint64_t nonce = ask(asked);
    say(ControlType::join, 3, nonce);
    ASSERT_TRUE(user->joined);
    const Ref<ChunkPool> chunks = user->joined->memory()->chunk_pool();
    auto sent = std::make_unique<Holdings>(*user->joined->memory(), 3);
    ASSERT_NE(sent->some_chunks()->reserve(1000), nullptr);
    const std::uint32_t chunk = sent->chunks->keep(0, false);
    user->joined->keep(std::move(sent));
    user->joined->leave();
    user->joined = nullptr;
    expect(ControlType::leave, 3);
    EXPECT_FALSE(is_free(*chunks, chunk));
    say(ControlType::leave, 3);
    say(ControlType::join, 3, 9);
    EXPECT_TRUE(is_free(*chunks, chunk));
}

TEST_F(LinkTest, TakesAFarewellAsTheEnd) {
    join_second();
    say(ControlType::abort, 2);
    EXPECT_EQ(second_.user->records, std::vector{ControlType::abort});
    EXPECT_EQ(second_.user->left, 1);
    leave(second_);
    EXPECT_EQ(receive(socket_).status(), Status::would_block) << "an end that both know is told";
}

// Requests that were given up.
TEST_F(LinkTest, SaysThatItReleasedManyNumbersOfThePeerAtOnce) {
    constexpr std::uint32_t kReleased = 16;
    for (std::uint32_t i = 0; i < kReleased; ++i) {
        say(ControlType::join, 2 * i + 1, 9);
        expect(ControlType::cancel, 2 * i + 1);
    }
    const auto released = hear();
    ASSERT_TRUE(released && released->message.type == ControlType::release);
    EXPECT_EQ(released->message.data().size(), kReleased * sizeof(std::uint32_t));
    say(ControlType::join, 1, 9);
    expect(ControlType::cancel, 1);
}

TEST_F(LinkTest, IsKeptWithoutConnectionsForTheNext) {
    leave(first_);
    expect(ControlType::leave, 0);
    join_second();
}

TEST_F(LinkTest, EndsWithItsOpen) {
    leave(first_);
    expect(ControlType::leave, 0);
    links_->on_open_ended(*adapter_);
    expect(ControlType::retire, 0);
    EXPECT_FALSE(links_->find(ends_));
    say(ControlType::leave, 0);
    say(ControlType::retire, 0);
    EXPECT_FALSE(hear());
}

TEST_F(LinkTest, EndsWhenItIsIdleForLongestOfMany) {
    leave(first_);
    expect(ControlType::leave, 0);
    const LocalSocket first = std::move(socket_);
    std::vector<LocalSocket> further;
    LinkOpens ends = ends_;
    for (std::size_t i = 0; i < Links::kMostIdle; ++i) {
        ++ends.open;
        End end;
        make_link(end, ends);
        leave(end);
        further.push_back(std::move(socket_));
    }
    EXPECT_FALSE(links_->find(ends_));
    EXPECT_TRUE(links_->find(ends));
}

TEST_F(LinkTest, EndsWhenThePeerHasRetiredItAndThereIsNoConnection) {
    say(ControlType::retire, 0);
    expect(ControlType::retire, 0);
    EXPECT_FALSE(links_->find(ends_));
    leave(first_);
    expect(ControlType::leave, 0);
    EXPECT_FALSE(hear());
}

TEST_F(LinkTest, ServesAConnectionThatThePeerBeganBeforeItHeardOfTheEnd) {
    links_->on_open_ended(*adapter_);
    leave(first_);
    expect(ControlType::leave, 0);
    expect(ControlType::retire, 0);
    say(ControlType::join, 1, 9);  // a request that was given up
    expect(ControlType::cancel, 1);
}

TEST_F(LinkTest, AsksTheListenersOfItsOpenAndNoOthers) {
    support::proves("ND2-CON-CONN-05");
    const Ref<RecordingTaker> taker = make_ref<RecordingTaker>();
    auto another = transport_->open(Interface{}, Face::nd2).take();
    const auto& other_open = static_cast<soft::SoftAdapter&>(*another);
    links_->add_taker(*adapter_, test::loopback_address(2), Ref<RequestTaker>(taker));
    links_->add_taker(other_open, test::loopback_address(3), Ref<RequestTaker>(taker));
    say_ask(test::loopback_address(2), 21);
    EXPECT_EQ(taker->nonces, std::vector<std::uint64_t>{21});
    say_ask(test::loopback_address(3), 22);
    expect_refusal(ControlType::absent, 22);
    links_->remove_taker(*adapter_, test::loopback_address(2));
    say_ask(test::loopback_address(2), 23);
    expect_refusal(ControlType::absent, 23);
    say(ControlType::ask, 0, 24);  // to no address
    expect_refusal(ControlType::absent, 24);
    EXPECT_EQ(taker->nonces.size(), 1u);
    EXPECT_EQ(first_.user->left, 0);
}

TEST_F(LinkTest, CarriesRequestsAndTheirAnswers) {
    support::proves("ND2-CON-CONN-05");
    const auto joined = make_ref<Recorder>(), refused = make_ref<Recorder>(), waiting = make_ref<Recorder>();
    const Ref<Dial> first = dial(joined), second = dial(refused), third = dial(waiting);
    const std::uint64_t first_nonce = ask(first), second_nonce = ask(second);
    (void)ask(third);
    say(ControlType::join, 1, first_nonce);
    say(ControlType::busy, 0, second_nonce);
    say(ControlType::busy, 0, second_nonce);  // nobody waits any more
    say(ControlType::absent, 0, 999);         // nor here
    EXPECT_TRUE(joined->joined);
    EXPECT_EQ(refused->records, std::vector{ControlType::busy});
    EXPECT_FALSE(waiting->joined);
    EXPECT_TRUE(waiting->records.empty());
    joined->joined->leave();
    joined->joined = nullptr;
}

TEST_F(LinkTest, TellsItsRequestsOfItsEnd) {
    support::proves("ND2-CON-DISC-03");
    const auto one = make_ref<Recorder>(), other = make_ref<Recorder>();
    const Ref<Dial> first = dial(one), second = dial(other);
    (void)ask(first);
    (void)ask(second);
    End end;  // of another link, with a request
    LocalSocket socket = std::move(socket_);
    const LinkOpens others{adapter_.get(), 78, 5};
    make_link(end, others);
    const auto elsewhere = make_ref<Recorder>();
    const Ref<Dial> third = make_ref<Dial>(loop_, links_, *adapter_, links_->find(others), Ref<LinkUser>(elsewhere));
    (void)ask(third);
    std::swap(socket, socket_);
    const Ref<Dial> late = dial(make_ref<Recorder>());
    hang_up();
    EXPECT_EQ(one->records, std::vector{ControlType::absent});
    EXPECT_EQ(other->records, std::vector{ControlType::absent});
    EXPECT_TRUE(elsewhere->records.empty());
    EXPECT_NE(on_loop([&] { return late->ask({}); }), Status::success);
    leave(end);
}

TEST_F(LinkTest, AsksNobodyOnALinkThatRetires) {
    const Ref<Dial> late = dial(make_ref<Recorder>());
    say(ControlType::retire, 0);
    expect(ControlType::retire, 0);
    EXPECT_EQ(on_loop([&] { return late->ask({}); }), Status::canceled);
}

TEST_F(LinkTest, DeclinesTheConnectionOfARequestThatWasGivenUp) {
    const auto user = make_ref<Recorder>();
    Ref<Dial> given_up = dial(user);
    const std::uint64_t nonce = ask(given_up);
    given_up->abandon(ControlType::cancel);
    given_up = nullptr;
    say(ControlType::join, 1, nonce);
    expect(ControlType::cancel, 1);
    EXPECT_FALSE(user->joined);
}

TEST_F(LinkTest, LeadsToAListenerUntilOneOfThePeerCloses) {
    const Address listener = test::loopback_address(2), other = test::loopback_address(3);
    EXPECT_FALSE(links_->way_to(*adapter_, listener));
    first_.link_end->leads_to(listener);
    EXPECT_TRUE(links_->way_to(*adapter_, listener));
    EXPECT_FALSE(links_->way_to(*adapter_, other));
    arena_->closings(1).fetch_add(1);
    EXPECT_FALSE(links_->way_to(*adapter_, listener));
    first_.link_end->leads_to(listener);
    first_.link_end->leads_to(other);  // one at a time: the peer's listeners may be many
    EXPECT_FALSE(links_->way_to(*adapter_, listener));
    EXPECT_TRUE(links_->way_to(*adapter_, other));
    links_->forget_way(*adapter_, other);
    EXPECT_FALSE(links_->way_to(*adapter_, other));
    first_.link_end->leads_to(listener);
    hang_up();
    EXPECT_FALSE(links_->way_to(*adapter_, listener));
    first_.link_end->leads_to(listener);
    EXPECT_FALSE(links_->way_to(*adapter_, listener)) << "it has ended";
}

TEST_F(LinkTest, ShowsThatAListenerOfItsOpenClosed) {
    const Ref<RecordingTaker> taker = make_ref<RecordingTaker>();
    links_->remove_taker(*adapter_, test::loopback_address(2));
    EXPECT_EQ(arena_->closings(0).load(), 0u) << "there was none";
    links_->add_taker(*adapter_, test::loopback_address(2), Ref<RequestTaker>(taker));
    links_->remove_taker(*adapter_, test::loopback_address(2));
    EXPECT_EQ(arena_->closings(0).load(), 1u);
}

// Each on a link of its own.
TEST_F(LinkTest, EndsWithARecordThatBreaksItsRules) {
    support::proves("ND2-CON-CONN-05");
    struct Wrong {
        ControlType type;
        std::uint32_t connection;
    };
    for (const Wrong wrong :
         {Wrong{ControlType::ready, 2}, Wrong{ControlType::leave, 0xffffffff}, Wrong{ControlType::join, 0},
          Wrong{ControlType::join, 2}, Wrong{ControlType::join, 4097}}) {
        SCOPED_TRACE(testing::Message() << static_cast<int>(wrong.type) << " " << wrong.connection);
        End end;
        make_link(end, ends_);
        say(wrong.type, wrong.connection);
        EXPECT_EQ(end.user->left, 1);
        EXPECT_FALSE(hear());
        leave(end);
    }
}

TEST_F(LinkTest, EndsWithAReleaseThatIsNone) {
    support::proves("ND2-CON-CONN-05");
    for (const std::uint32_t number : {0u, 1u, 2u, 0xffffffffu}) {
        SCOPED_TRACE(number);
        End end;
        make_link(end, ends_);
        say_released(number);  // 0: before the peer's farewell
        EXPECT_EQ(end.user->left, 1);
        EXPECT_FALSE(hear());
        leave(end);
    }
}

// A side that has heard the last record about a connection says none of its own.
TEST_F(LinkTest, TakesAReleaseOfAConnectionThatThisSideLeft) {
    join_second();
    leave(second_);
    expect(ControlType::leave, 2);
    say_released(2);
    EXPECT_EQ(first_.user->left, 0);
    join_second();
}

TEST_F(LinkTest, TakesAReleaseOfAConnectionThatThisSideSaidFarewellTo) {
    join_second();
    ControlMessage farewell;
    farewell.type = ControlType::disconnect;
    EXPECT_EQ(second_.link_end->send(farewell), Status::success);
    expect(ControlType::disconnect, 2);
    say_released(2);
    EXPECT_EQ(first_.user->left, 0);
    leave(second_);
    EXPECT_EQ(receive(socket_).status(), Status::would_block);
    join_second();
}

// No record about a connection comes behind its release.
TEST_F(LinkTest, EndsWithARecordBehindARelease) {
    join_second();
    leave(second_);
    expect(ControlType::leave, 2);
    say_released(2);
    say(ControlType::leave, 2);
    EXPECT_EQ(first_.user->left, 1);
}

TEST_F(LinkTest, IsFollowedByAnotherWhenItIsFull) {
    const Ref<Link> full = links_->find(ends_);
    std::vector<End> further;
    for (;;) {
        End& end = further.emplace_back();
        auto joined = on_loop([&] { return full->join(Ref<LinkUser>(end.user), 2); });
        if (!joined.ok()) break;
        end.link_end = joined.take();
        while (hear()->message.type != ControlType::join) continue;
    }
    EXPECT_EQ(further.size(), kConnections / 2);
    const LocalSocket first = std::move(socket_);
    End next;
    make_link(next, ends_);
    EXPECT_TRUE(links_->find(ends_));
    EXPECT_NE(links_->find(ends_).get(), full.get());
    for (End& end : further) leave(end);
    leave(next);
}

TEST_F(LinkTest, IsNotSharedWithAProcessThatCannotBeTold) {
    const LinkOpens unknown{nullptr, 0, 5};
    End end;
    make_link(end, unknown);
    EXPECT_FALSE(links_->find(unknown));
    leave(end);
}

}  // namespace
}  // namespace opennd::local

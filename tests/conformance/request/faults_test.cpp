// SPDX-License-Identifier: MIT
//
// Faults on purpose reach the program as the real ones do, over every face and wire (docs/faults.md).
#include <opennd.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "conformance/vocabulary/fixture.h"
#include "conformance/vocabulary/last_byte.h"
#include "support/deadline.h"

namespace opennd::conformance {
namespace {

class Faults : public ConformanceTest {
protected:
    // Hardware has none for messages.
    void SetUp() override {
        if (std::string_view(GetParam().transport) == "verbs") GTEST_SKIP() << "faults are of the software wires";
    }
    void TearDown() override { EXPECT_EQ(opennd_faults_set(nullptr), ND_SUCCESS); }

    static void set(const char* line) { ASSERT_EQ(opennd_faults_set(line), ND_SUCCESS) << line; }
    static std::string counts() {
        std::string text(4096, '\0');
        SIZE_T needed = 0;
        EXPECT_EQ(opennd_faults_counts(text.data(), text.size(), &needed), ND_SUCCESS);
        return text.c_str();
    }
    static void exchange(ConnectedPair& pair, Tag tag) {
        ASSERT_EQ(pair.b.receive(tag, 0, 64), Outcome::success);
        ASSERT_EQ(pair.a.send(tag, 0, 64), Outcome::success);
        ASSERT_TRUE(reports_received(*pair.b.received, tag, 64));
        ASSERT_TRUE(reports(*pair.a.initiated, RequestKind::send, tag, Outcome::success));
    }
    // Of the oldest request when the peer is gone.
    static Outcome outcome_without_peer() {
        return std::string_view(GetParam().face) == "Nd2" ? Outcome::canceled : Outcome::io_timeout;
    }
    // The Read of 64 bytes behind a Write of them has brought them.
    static bool has_same(ConnectedPair& pair) {
        const auto written = pair.a.bytes(0, 64), read = pair.a.bytes(64, 64);
        return std::ranges::equal(written, read);
    }
    // The request that is struck has this outcome, those behind it are canceled, and the connection ends for the peer.
    static void expect_failed(ConnectedPair& pair, RequestKind kind, Outcome outcome,
                              Outcome (*post)(ConnectedPair&, Tag)) {
        const Operation lost = pair.b.connector->notify_disconnect();
        ASSERT_EQ(post(pair, 101), Outcome::success);
        (void)post(pair, 102);  // refused where the queue pair has failed already
        EXPECT_TRUE(reports(*pair.a.initiated, kind, 101, outcome));
        EXPECT_EQ(lost.wait(), Outcome::success) << "the connection must end";
    }
};

TEST_P(Faults, SendTimesOutAsWithoutAReceive) {
    set("send:timeout nth=3");
    ConnectedPair pair(driver());
    exchange(pair, 1);
    exchange(pair, 2);
    ASSERT_EQ(pair.b.receive(9, 0, 64), Outcome::success);
    expect_failed(pair, RequestKind::send, Outcome::io_timeout,
                  [](ConnectedPair& each, Tag tag) { return each.a.send(tag, 0, 64); });
    EXPECT_TRUE(reports(*pair.b.received, RequestKind::receive, 9, Outcome::canceled));
    EXPECT_NE(counts().find("\"events\":3,\"injected\":1"), std::string::npos) << counts();
}

TEST_P(Faults, SendOverrunsAsWithAShortReceive) {
    set("send:overrun");
    ConnectedPair pair(driver());
    expect_failed(pair, RequestKind::send, Outcome::data_error,
                  [](ConnectedPair& each, Tag tag) { return each.a.send(tag, 0, 64); });
}

TEST_P(Faults, WriteIsDeniedAsWithoutARight) {
    set("write:denied");
    ConnectedPair pair(driver());
    exchange(pair, 1);
    fill_with(pair.b.bytes(0, 64), std::byte{0xEE});
    expect_failed(pair, RequestKind::write, Outcome::access_violation,
                  [](ConnectedPair& each, Tag tag) { return each.a.write(tag, 0, 64, each.b.remote()); });
    EXPECT_TRUE(is_filled_with(pair.b.bytes(0, 64), std::byte{0xEE})) << "nothing was written";
}

TEST_P(Faults, LongReadIsDeniedAsWithoutARight) {
    set("read:denied nth=1");
    ConnectedPair pair(driver());
    expect_failed(pair, RequestKind::read, Outcome::access_violation,
                  [](ConnectedPair& each, Tag tag) { return each.a.read(tag, 0, 40'000, each.b.remote()); });
}

TEST_P(Faults, ResetEndsTheConnectionForBothSides) {
    set("wire:reset after=128");
    ConnectedPair pair(driver());
    exchange(pair, 1);
    exchange(pair, 2);
    ASSERT_EQ(pair.b.receive(9, 0, 64), Outcome::success);
    const Operation lost_here = pair.a.connector->notify_disconnect(),
                    lost_there = pair.b.connector->notify_disconnect();
    ASSERT_EQ(pair.a.send(3, 0, 64), Outcome::success);
    EXPECT_TRUE(reports(*pair.a.initiated, RequestKind::send, 3, Outcome::canceled));
    EXPECT_TRUE(reports(*pair.b.received, RequestKind::receive, 9, Outcome::canceled));
    EXPECT_EQ(lost_here.wait(), Outcome::success);
    EXPECT_EQ(lost_there.wait(), Outcome::success);
}

// ---- late messages and results --------------------------------------------------------------------------------------

constexpr milliseconds kLate{30};

// The time that `act` takes.
template <typename Act>
support::Clock::duration time_of(Act act) {
    const auto before = support::Clock::now();
    act();
    return support::Clock::now() - before;
}

TEST_P(Faults, DelayedMessageIsDeliveredLateAndThoseBehindItToo) {
    set("wire:delay=30ms nth=2");
    ConnectedPair pair(driver());
    exchange(pair, 1);
    for (const Tag tag : {2, 3}) ASSERT_EQ(pair.b.receive(tag, 0, 64), Outcome::success);
    const auto took = time_of([&] {
        ASSERT_EQ(pair.a.send(2, 0, 64), Outcome::success);
        ASSERT_EQ(pair.a.send(3, 0, 64), Outcome::success);
        EXPECT_TRUE(reports_received(*pair.b.received, 2, 64));
    });
    EXPECT_GE(took, kLate);
    EXPECT_TRUE(reports_received(*pair.b.received, 3, 64));
    EXPECT_TRUE(reports(*pair.a.initiated, RequestKind::send, 2, Outcome::success));
    EXPECT_TRUE(reports(*pair.a.initiated, RequestKind::send, 3, Outcome::success));
    EXPECT_NE(counts().find("\"events\":3,\"injected\":1"), std::string::npos) << counts();
}

// Nobody polls at the sender: its service thread sends.
TEST_P(Faults, DelayedMessageOfASleeperIsDelivered) {
    set("wire:delay=2ms");
    ConnectedPair pair(driver());
    for (Tag tag = 1; tag <= 5; ++tag) ASSERT_EQ(pair.b.receive(tag, 0, 64), Outcome::success);
    const Operation arrived = pair.b.received->notify(NotifyType::any);
    for (Tag tag = 1; tag <= 5; ++tag) ASSERT_EQ(pair.a.send(tag, 0, 64), Outcome::success);
    EXPECT_EQ(arrived.wait(), Outcome::success);
    for (Tag tag = 1; tag <= 5; ++tag) EXPECT_TRUE(reports_received(*pair.b.received, tag, 64));
}

TEST_P(Faults, DelayedReadsAndWritesCarryTheirBytes) {
    set("wire:delay=1ms");
    ConnectedPair pair(driver());
    fill_with(pair.a.bytes(0, 40'000), std::byte{0x5A});
    ASSERT_EQ(pair.a.write(1, 0, 40'000, pair.b.remote()), Outcome::success);
    ASSERT_EQ(pair.a.read(2, 41'000, 100, pair.b.remote(100)), Outcome::success);
    EXPECT_TRUE(reports(*pair.a.initiated, RequestKind::write, 1, Outcome::success));
    EXPECT_TRUE(reports(*pair.a.initiated, RequestKind::read, 2, Outcome::success));
    EXPECT_TRUE(is_filled_with(pair.b.bytes(0, 40'000), std::byte{0x5A}));
    EXPECT_TRUE(is_filled_with(pair.a.bytes(41'000, 100), std::byte{0x5A}));
}

TEST_P(Faults, DelayedMessageThatIsFlushedIsCanceledAndNeverDelivered) {
    set("wire:delay=1000s nth=2");
    ConnectedPair pair(driver());
    exchange(pair, 1);
    ASSERT_EQ(pair.b.receive(2, 0, 64), Outcome::success);
    ASSERT_EQ(pair.a.send(2, 0, 64), Outcome::success);
    ASSERT_EQ(pair.a.send(3, 0, 64), Outcome::success);
    ASSERT_EQ(pair.a.queue_pair->flush(), Outcome::success);
    EXPECT_TRUE(reports(*pair.a.initiated, RequestKind::send, 2, Outcome::canceled));
    EXPECT_TRUE(reports(*pair.a.initiated, RequestKind::send, 3, Outcome::canceled));
    let_news_arrive();
    // Over NDK a flush may end the connection, which flushes the peer's receive.
    for (const Completion& each : pair.b.received->poll(1)) EXPECT_EQ(each.outcome, Outcome::canceled);
}

TEST_P(Faults, DelayedMessageAndLateResultComeWhenTheirPlanEnds) {
    set("wire:delay=1000s nth=2; send:late=1000s nth=1");
    ConnectedPair pair(driver());
    for (const Tag tag : {1, 2}) ASSERT_EQ(pair.b.receive(tag, 0, 64), Outcome::success);
    for (const Tag tag : {1, 2}) ASSERT_EQ(pair.a.send(tag, 0, 64), Outcome::success);
    EXPECT_TRUE(reports_received(*pair.b.received, 1, 64));
    EXPECT_TRUE(pair.a.initiated->poll(1).empty());
    set("");
    EXPECT_TRUE(reports_received(*pair.b.received, 2, 64));
    EXPECT_TRUE(reports_exactly(*pair.a.initiated, {1, 2}, Outcome::success));
}

TEST_P(Faults, DelayedMessageIsCanceledWhenThePeerIsGone) {
    set("wire:delay=1000s");
    ConnectedPair pair(driver());
    const Operation lost = pair.a.connector->notify_disconnect();
    ASSERT_EQ(pair.a.write(1, 0, 64, pair.b.remote()), Outcome::success);
    const Operation ended = pair.b.connector->disconnect();
    EXPECT_EQ(lost.wait(), Outcome::success);
    // Elsewhere the peer's end leaves requests outstanding (ND1-EP-GEN-21).
    if (std::string_view(GetParam().face) != "Nd2") {
        ASSERT_EQ(pair.a.queue_pair->flush(), Outcome::success);
    }
    EXPECT_TRUE(reports(*pair.a.initiated, RequestKind::write, 1, Outcome::canceled));
}

TEST_P(Faults, LateResultComesBehindTheAnswer) {
    set("send:late=30ms nth=1; write:late=1ms");
    ConnectedPair pair(driver());
    ASSERT_EQ(pair.a.receive(9, 0, 64), Outcome::success);
    ASSERT_EQ(pair.b.receive(1, 0, 64), Outcome::success);
    const auto took = time_of([&] {
        ASSERT_EQ(pair.a.send(1, 64, 64), Outcome::success);
        ASSERT_EQ(pair.a.write(2, 128, 64, pair.b.remote(1024)), Outcome::success);
        ASSERT_TRUE(reports_received(*pair.b.received, 1, 64));
        ASSERT_EQ(pair.b.send(1, 0, 64), Outcome::success);
        EXPECT_TRUE(reports_received(*pair.a.received, 9, 64)) << "the answer does not wait for the result";
        EXPECT_TRUE(reports(*pair.a.initiated, RequestKind::send, 1, Outcome::success));
    });
    EXPECT_GE(took, kLate);
    EXPECT_TRUE(reports(*pair.a.initiated, RequestKind::write, 2, Outcome::success));
}

TEST_P(Faults, LateResultWakesASleeper) {
    set("send:late=5ms");
    ConnectedPair pair(driver());
    ASSERT_EQ(pair.b.receive(1, 0, 64), Outcome::success);
    const Operation told = pair.a.initiated->notify(NotifyType::any);
    ASSERT_EQ(pair.a.send(1, 0, 64), Outcome::success);
    ASSERT_TRUE(reports_received(*pair.b.received, 1, 64));
    EXPECT_EQ(told.wait(), Outcome::success);
    EXPECT_TRUE(reports(*pair.a.initiated, RequestKind::send, 1, Outcome::success));
}

TEST_P(Faults, LateResultIsToldByAFlush) {
    set("write:late=1000s");
    ConnectedPair pair(driver());
    fill_with(pair.a.bytes(0, 64), std::byte{0x5A});
    ASSERT_EQ(pair.a.write(1, 0, 64, pair.b.remote()), Outcome::success);
    ASSERT_EQ(pair.a.read(2, 64, 64, pair.b.remote()),
              Outcome::success);  // behind it: the peer has the bytes when it is done
    std::byte* const end = pair.a.bytes(64, 64).data() + 64;
    ASSERT_TRUE(wait_until([&] { return pair.a.initiated->poll(1).empty() && last_byte(end) == std::byte{0x5A}; }));
    EXPECT_TRUE(has_same(pair));
    ASSERT_EQ(pair.a.queue_pair->flush(), Outcome::success);
    EXPECT_TRUE(reports(*pair.a.initiated, RequestKind::write, 1, Outcome::success));
    EXPECT_TRUE(reports(*pair.a.initiated, RequestKind::read, 2, Outcome::success));
}

// ---- completion queues ----------------------------------------------------------------------------------------------

TEST_P(Faults, OverrunKillsTheQueueAndItsQueuePairs) {
    set("cq:overrun p=0");
    ConnectedPair pair(driver());
    const Remote target = pair.b.remote();  // a window may be bound for it, which has a result
    set("cq:overrun nth=5");
    exchange(pair, 1);
    exchange(pair, 2);  // two results each
    const Operation a_hears = pair.a.connector->notify_disconnect(), b_hears = pair.b.connector->notify_disconnect();
    const Operation overrun = pair.a.initiated->notify(NotifyType::errors);
    ASSERT_EQ(pair.a.write(3, 0, 64, target), Outcome::success);
    EXPECT_EQ(overrun.wait(), Outcome::buffer_overflow);
    if (std::string_view(GetParam().face) != "Ndk") {  // a consumer is told once (NDK-CQ-ERR-01)
        EXPECT_EQ(pair.a.initiated->notify(NotifyType::any).begun(), Outcome::buffer_overflow);
    }
    EXPECT_EQ(a_hears.wait(), Outcome::success);
    EXPECT_EQ(b_hears.wait(), Outcome::success);
    EXPECT_TRUE(pair.a.initiated->poll(1).empty()) << "the result is lost";
    EXPECT_NE(counts().find("\"events\":5,\"injected\":1"), std::string::npos) << counts();
}

TEST_P(Faults, OverrunLeavesTheResultsOfBefore) {
    set("cq:overrun p=0");
    ConnectedPair pair(driver());
    const Remote target = pair.b.remote();
    set("cq:overrun nth=3");
    for (const Tag tag : {1, 2, 3}) ASSERT_EQ(pair.a.write(tag, 0, 8, target), Outcome::success);
    const Operation death = pair.a.initiated->notify(NotifyType::errors);
    EXPECT_EQ(death.wait(), Outcome::buffer_overflow);
    EXPECT_TRUE(reports_exactly(*pair.a.initiated, {1, 2}, Outcome::success));
}

// ---- a peer that dies -----------------------------------------------------------------------------------------------

// As interop/peer_death_test.cpp sees a process that was killed.
TEST_P(Faults, PeerThatDiesIsGoneForBothSides) {
    set("peer:dies nth=2");
    ConnectedPair pair(driver());
    exchange(pair, 1);
    ASSERT_EQ(pair.a.receive(8, 0, 64), Outcome::success);
    ASSERT_EQ(pair.b.receive(9, 0, 64), Outcome::success);
    const Operation lost_here = pair.a.connector->notify_disconnect(),
                    lost_there = pair.b.connector->notify_disconnect();
    ASSERT_EQ(pair.a.send(3, 64, 64), Outcome::success);
    EXPECT_EQ(lost_here.wait(), Outcome::success);
    EXPECT_EQ(lost_there.wait(), Outcome::success);
    EXPECT_TRUE(reports(*pair.a.initiated, RequestKind::send, 3, outcome_without_peer()));
    EXPECT_TRUE(reports(*pair.a.received, RequestKind::receive, 8, Outcome::canceled));
    EXPECT_TRUE(reports(*pair.b.received, RequestKind::receive, 9, Outcome::canceled));
    ConnectedPair next_one(driver());
    exchange(next_one, 4);
}

// Neither side does anything when the moment comes.
TEST_P(Faults, PeerThatDiesAtItsTimeIsMissedByAProgramThatWaits) {
    set("send:timeout nth=1000");
    ConnectedPair pair(driver());
    exchange(pair, 1);
    const Operation lost_here = pair.a.connector->notify_disconnect(),
                    lost_there = pair.b.connector->notify_disconnect();
    set("peer:dies after=20ms times=1");
    EXPECT_EQ(lost_here.wait(), Outcome::success);
    EXPECT_EQ(lost_there.wait(), Outcome::success);
    EXPECT_NE(counts().find("\"injected\":1"), std::string::npos) << counts();
}

// What the peer had sent before is there.
TEST_P(Faults, PeerThatDiesLeavesItsMessages) {
    set("send:timeout nth=1000");
    ConnectedPair pair(driver());
    ASSERT_EQ(pair.a.receive(1, 0, 64), Outcome::success);
    ASSERT_EQ(pair.b.send(1, 0, 64), Outcome::success);
    ASSERT_TRUE(reports(*pair.b.initiated, RequestKind::send, 1, Outcome::success));
    const Operation lost = pair.a.connector->notify_disconnect();
    set("peer:dies");
    ASSERT_EQ(pair.a.send(2, 64, 64), Outcome::success);
    EXPECT_EQ(lost.wait(), Outcome::success);
    EXPECT_TRUE(reports_received(*pair.a.received, 1, 64));
}

TEST_P(Faults, ConnectFailsWithTheStatusOfItsKindAndSucceedsThen) {
    for (const auto& [line, outcome] : {std::pair{"connect:refused nth=1", Outcome::connection_refused},
                                        {"connect:timeout nth=1", Outcome::io_timeout},
                                        {"connect:unreachable nth=1", Outcome::network_unreachable}}) {
        SCOPED_TRACE(line);
        set(line);
        Handshake handshake(driver());
        handshake.bound();
        ASSERT_EQ(handshake.active.connector->connect(*handshake.active.queue_pair, handshake.address, {}, {}).wait(),
                  outcome);
        ConnectedPair pair(driver());
        exchange(pair, 1);
    }
}

// Two runs of the same program, which sends until it fails.
TEST_P(Faults, AreTheSameInTheSameProgramWithTheSameSeed) {
    const auto sends_until_it_fails = [&](const char* line) {
        EXPECT_EQ(opennd_faults_set(line), ND_SUCCESS);
        ConnectedPair pair(driver());
        for (Tag tag = 1; tag < 1000; ++tag) {
            EXPECT_EQ(pair.b.receive(tag, 0, 64), Outcome::success);
            EXPECT_EQ(pair.a.send(tag, 0, 8), Outcome::success);
            const Completion sent = next(*pair.a.initiated);
            if (sent.outcome != Outcome::success) return tag;
            EXPECT_TRUE(reports_received(*pair.b.received, tag, 8));
        }
        return Tag{0};
    };
    const Tag first = sends_until_it_fails("seed=5; send:timeout p=0.05");
    EXPECT_NE(first, 0u);
    EXPECT_EQ(sends_until_it_fails("seed=5; send:timeout p=0.05"), first);
    EXPECT_EQ(sends_until_it_fails("seed=5; send:timeout p=0.05; read:denied"), first);
    for (const char* const line : {"seed=6; wire:delay=100us p=0.1; wire:reset p=0.05", "seed=7; peer:dies p=0.05",
                                   "seed=8; send:late=100us p=0.2; send:overrun p=0.05"}) {
        SCOPED_TRACE(line);
        const Tag once = sends_until_it_fails(line);
        const std::string counted = counts();
        EXPECT_NE(once, 0u);
        EXPECT_EQ(sends_until_it_fails(line), once);
        EXPECT_EQ(counts(), counted);
    }
}

TEST_P(Faults, AWrongLineChangesNothing) {
    set("send:timeout nth=1000");
    const std::string before = counts();
    EXPECT_EQ(opennd_faults_set("send:timeout nth=0"), ND_INVALID_PARAMETER);
    EXPECT_EQ(counts(), before);
}

INSTANTIATE_TEST_SUITE_P(, Faults, testing::ValuesIn(every_variant()), variant_name);

}  // namespace
}  // namespace opennd::conformance

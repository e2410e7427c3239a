// SPDX-License-Identifier: MIT
//
// The end of a connection: Disconnect, NotifyDisconnect, release, on both sides. Requirements ND2-CON-DISC-*,
// ND2-CON-NTF-*, ND2-QP-REL-*.
#include "conformance/vocabulary/fixture.h"
#include "support/tested_device.h"

namespace opennd::conformance {
namespace {

class Disconnect : public ConformanceTest {};

TEST_P(Disconnect, TellsBothSides) {
    proves("ND2-CON-DISC-01", "ND2-CON-NTF-01", "ND2-AMB-10");
    ConnectedPair pair(driver());
    const Operation at_a = pair.a.connector->notify_disconnect();
    const Operation at_b = pair.b.connector->notify_disconnect();
    EXPECT_EQ(at_a.now(), Outcome::pending);
    EXPECT_EQ(at_b.now(), Outcome::pending);
    EXPECT_EQ(pair.a.connector->disconnect().wait(), Outcome::success);
    EXPECT_EQ(at_a.wait(), Outcome::connection_disconnected);
    EXPECT_EQ(at_b.wait(), Outcome::success);
}

TEST_P(Disconnect, FlushesBothQueuesBeforeItCompletes) {
    if (const char* const why = support::lacks(support::Ability::late_receives)) GTEST_SKIP() << why;
    provokes("CHECK-NO-RECEIVE");
    proves("ND2-CON-DISC-01");
    ConnectedPair pair(driver());
    for (Tag tag = 0; tag < 3; ++tag) ASSERT_EQ(pair.a.receive(tag), Outcome::success);
    ASSERT_EQ(pair.a.send(10), Outcome::success);  // no receive there: it waits
    ASSERT_EQ(pair.a.connector->disconnect().wait(), Outcome::success);
    const auto received = pair.a.received->poll(10);
    ASSERT_EQ(received.size(), 3u) << "all flush results are there when Disconnect completes";
    for (Tag tag = 0; tag < 3; ++tag) {
        EXPECT_EQ(received[tag], (Completion{Outcome::canceled, 0, 0, tag, RequestKind::receive}));
    }
    const auto sent = pair.a.initiated->poll(10);
    ASSERT_EQ(sent.size(), 1u);
    EXPECT_EQ(sent[0].outcome, Outcome::canceled);
}

TEST_P(Disconnect, FlushesThePeerWithoutAnyCallThere) {
    proves("ND2-CON-DISC-05", "ND2-AMB-08", "ND2-CLI-21", "IW-ERR-23");
    ConnectedPair pair(driver());
    for (Tag tag = 0; tag < 3; ++tag) ASSERT_EQ(pair.b.receive(tag), Outcome::success);
    const Operation notified = pair.b.received->notify(NotifyType::any);
    ASSERT_EQ(pair.a.connector->disconnect().wait(), Outcome::success);
    EXPECT_EQ(notified.wait(), Outcome::success);
    EXPECT_TRUE(reports_exactly(*pair.b.received, {0, 1, 2}, Outcome::canceled));
}

TEST_P(Disconnect, AfterThePeersDisconnectSucceeds) {
    proves("ND2-CON-DISC-03", "ND2-AMB-25");
    ConnectedPair pair(driver());
    const Operation lost = pair.b.connector->notify_disconnect();
    ASSERT_EQ(pair.a.connector->disconnect().wait(), Outcome::success);
    ASSERT_EQ(lost.wait(), Outcome::success);
    const Operation disconnected = pair.b.connector->disconnect();
    EXPECT_EQ(disconnected.begun(), Outcome::pending);
    EXPECT_EQ(disconnected.wait(), Outcome::success);
}

TEST_P(Disconnect, OfBothSidesAtOnceSucceedsOnBoth) {
    proves("ND2-CON-DISC-03", "ND2-CLI-33");
    for (int round = 0; round < 50; ++round) {
        ConnectedPair pair(driver());
        const Operation at_a = pair.a.connector->disconnect();
        const Operation at_b = pair.b.connector->disconnect();
        ASSERT_EQ(at_a.wait(), Outcome::success) << round;
        ASSERT_EQ(at_b.wait(), Outcome::success) << round;
    }
}

TEST_P(Disconnect, DeliversWritesThatWereReported) {
    proves("ND2-CON-DISC-02");
    ConnectedPair pair(driver());
    const Operation lost = pair.b.connector->notify_disconnect();
    fill_pattern(pair.a.bytes(0, 30'000), 3);
    ASSERT_EQ(pair.a.write(1, 0, 30'000, pair.b.remote()), Outcome::success);
    ASSERT_TRUE(reports(*pair.a.initiated, RequestKind::write, 1, Outcome::success));
    ASSERT_EQ(pair.a.connector->disconnect().wait(), Outcome::success);
    ASSERT_EQ(lost.wait(), Outcome::success);
    EXPECT_TRUE(has_pattern(pair.b.bytes(0, 30'000), 3));
}

TEST_P(Disconnect, EndsTheQueuePairForGood) {
    proves("ND2-CON-DISC-06", "ND2-QP-REL-03");
    ConnectedPair pair(driver());
    ASSERT_EQ(pair.a.connector->disconnect().wait(), Outcome::success);
    auto fresh = pair.a.adapter->create_connector();
    ASSERT_EQ(fresh->bind(local_address()), Outcome::success);
    EXPECT_EQ(fresh->connect(*pair.a.queue_pair, pair.handshake->address, {}, {}).begun(), Outcome::invalid_state);
}

TEST_P(Disconnect, GoesOnWhenTheQueuePairIsReleased) {
    proves("ND2-CON-DISC-06", "ND2-CON-DISC-07");
    ConnectedPair pair(driver());
    const Operation disconnected = pair.a.connector->disconnect();
    pair.a.queue_pair.reset();
    EXPECT_EQ(disconnected.wait(), Outcome::success);
}

TEST_P(Disconnect, GoesOnWhenTheConnectorIsReleased) {
    proves("ND2-CON-REL-02", "ND2-CON-DISC-07");
    ConnectedPair pair(driver());
    const Operation lost = pair.b.connector->notify_disconnect();
    const Operation disconnected = pair.a.connector->disconnect();
    pair.a.connector.reset();
    EXPECT_NE(disconnected.now(), Outcome::pending) << "complete, one way or the other, when Release returns";
    EXPECT_EQ(lost.wait(), Outcome::success);
}

TEST_P(Disconnect, ByReleaseOfTheQueuePair) {
    proves("ND2-QP-REL-01", "ND2-QP-REL-02", "ND2-CON-NTF-01");
    ConnectedPair pair(driver());
    const Operation at_a = pair.a.connector->notify_disconnect();
    const Operation at_b = pair.b.connector->notify_disconnect();
    ASSERT_EQ(pair.a.receive(1), Outcome::success);
    pair.a.queue_pair.reset();
    const auto flushed = pair.a.received->poll(10);
    ASSERT_EQ(flushed.size(), 1u) << "flush results are there when Release returns";
    EXPECT_EQ(flushed[0], (Completion{Outcome::canceled, 0, 0, 1, RequestKind::receive}));
    EXPECT_EQ(at_a.wait(), Outcome::connection_disconnected);
    EXPECT_EQ(at_b.wait(), Outcome::success);
}

TEST_P(Disconnect, ByReleaseOfTheConnector) {
    proves("ND2-CON-REL-01");
    ConnectedPair pair(driver());
    const Operation at_a = pair.a.connector->notify_disconnect();
    const Operation at_b = pair.b.connector->notify_disconnect();
    ASSERT_EQ(pair.a.receive(1), Outcome::success);
    pair.a.connector.reset();
    EXPECT_EQ(at_a.now(), Outcome::canceled);
    EXPECT_EQ(at_b.wait(), Outcome::success);
    EXPECT_TRUE(reports_exactly(*pair.a.received, {1}, Outcome::canceled));
}

class NotifyDisconnect : public ConformanceTest {};

TEST_P(NotifyDisconnect, AfterThePeerWentCompletesAtOnce) {
    proves("ND2-CON-NTF-02");
    ConnectedPair pair(driver());
    ASSERT_EQ(pair.b.receive(1), Outcome::success);
    ASSERT_EQ(pair.a.connector->disconnect().wait(), Outcome::success);
    ASSERT_TRUE(reports(*pair.b.received, RequestKind::receive, 1, Outcome::canceled));
    const Operation late = pair.b.connector->notify_disconnect();
    EXPECT_EQ(late.begun(), Outcome::pending);
    EXPECT_EQ(late.wait(), Outcome::success);
}

TEST_P(NotifyDisconnect, WhileCompleteConnectOrAcceptIsPendingServesTheConnection) {
    proves("ND2-CON-NTF-03", "ND2-CLI-83");
    Handshake handshake(driver());
    handshake.replied();
    const Operation at_passive = handshake.passive.connector->notify_disconnect();
    EXPECT_EQ(at_passive.begun(), Outcome::pending);
    const Operation completed = handshake.active.connector->complete_connect();
    const Operation at_active = handshake.active.connector->notify_disconnect();
    EXPECT_EQ(at_active.begun(), Outcome::pending);
    ASSERT_EQ(completed.wait(), Outcome::success);
    ASSERT_EQ(handshake.accept->wait(), Outcome::success);
    EXPECT_EQ(at_passive.now(), Outcome::pending);
    ASSERT_EQ(handshake.passive.connector->disconnect().wait(), Outcome::success);
    EXPECT_EQ(at_passive.wait(), Outcome::connection_disconnected);
    EXPECT_EQ(at_active.wait(), Outcome::success);
}

TEST_P(NotifyDisconnect, EndsWithTheStatusOfAFailedAccept) {
    proves("ND2-CON-NTF-03");
    if (const char* const why = support::lacks(support::Ability::complete_connect)) GTEST_SKIP() << why;
    Handshake handshake(driver());
    handshake.replied();
    const Operation notified = handshake.passive.connector->notify_disconnect();
    ASSERT_EQ(handshake.active.connector->reject({}), Outcome::success);
    ASSERT_EQ(handshake.accept->wait(), Outcome::connection_refused);
    EXPECT_EQ(notified.wait(), Outcome::connection_refused);
}

TEST_P(NotifyDisconnect, SeveralAllComplete) {
    proves("ND2-CON-NTF-05");
    ConnectedPair pair(driver());
    const Operation first = pair.b.connector->notify_disconnect();
    const Operation second = pair.b.connector->notify_disconnect();
    ASSERT_EQ(pair.a.connector->disconnect().wait(), Outcome::success);
    EXPECT_EQ(first.wait(), Outcome::success);
    EXPECT_EQ(second.wait(), Outcome::success);
}

TEST_P(NotifyDisconnect, CanceledLeavesTheConnection) {
    proves("ND2-OVL-14", "ND2-CON-NTF-01", "ND2-CLI-97");
    ConnectedPair pair(driver());
    const Operation notified = pair.a.connector->notify_disconnect();
    pair.a.connector->cancel();
    EXPECT_EQ(notified.now(), Outcome::canceled);
    ASSERT_EQ(pair.b.receive(1), Outcome::success);
    ASSERT_EQ(pair.a.send(2), Outcome::success);
    EXPECT_TRUE(reports_received(*pair.b.received, 1, 0)) << "only the request ended";
    EXPECT_EQ(pair.a.connector->disconnect().wait(), Outcome::success);
}

TEST_P(NotifyDisconnect, CompletesForAPeersFault) {
    proves("ND2-QP-ERR-01");
    ConnectedPair pair(driver());
    const Operation at_a = pair.a.connector->notify_disconnect();
    const Operation at_b = pair.b.connector->notify_disconnect();
    ASSERT_EQ(pair.a.write(1, 0, 8, {0, 0}), Outcome::success);
    EXPECT_EQ(at_a.wait(), Outcome::success);
    EXPECT_EQ(at_b.wait(), Outcome::success);
}

INSTANTIATE_TEST_SUITE_P(, Disconnect, testing::ValuesIn(every_variant()), variant_name);
INSTANTIATE_TEST_SUITE_P(, NotifyDisconnect, testing::ValuesIn(every_variant()), variant_name);

}  // namespace
}  // namespace opennd::conformance

// SPDX-License-Identifier: MIT
//
// Flush: every outstanding request once, in order, before the call returns. Requirements ND2-QP-FLUSH-*.
#include "conformance/vocabulary/fixture.h"
#include "support/tested_device.h"

namespace opennd::conformance {
namespace {

class Flush : public ConformanceTest {};

TEST_P(Flush, CompletesPostedReceivesAsCanceledBeforeItReturns) {
    proves("ND2-QP-FLUSH-01", "ND2-AMB-35");
    Endpoint end(driver(), {});
    for (Tag tag = 0; tag < 16; ++tag) ASSERT_EQ(end.receive(tag), Outcome::success);
    ASSERT_EQ(end.queue_pair->flush(), Outcome::success);
    const auto results = end.received->poll(100);
    ASSERT_EQ(results.size(), 16u);
    for (Tag tag = 0; tag < 16; ++tag) {
        EXPECT_EQ(results[tag], (Completion{Outcome::canceled, 0, 0, tag, RequestKind::receive}));
    }
    EXPECT_TRUE(end.received->poll(1).empty());
}

TEST_P(Flush, OfAnIdleQueuePairLeavesItConnectable) {
    proves("ND2-QP-FLUSH-02", "ND2-AMB-36");
    Handshake handshake(driver());
    ASSERT_EQ(handshake.active.receive(1), Outcome::success);
    ASSERT_EQ(handshake.active.queue_pair->flush(), Outcome::success);
    ASSERT_TRUE(reports_exactly(*handshake.active.received, {1}, Outcome::canceled));
    ASSERT_EQ(handshake.active.receive(2), Outcome::success);
    handshake.connected();
    ASSERT_EQ(handshake.passive.send(3), Outcome::success);
    EXPECT_TRUE(reports_received(*handshake.active.received, 2, 0));
}

TEST_P(Flush, OfAConnectedQueuePairEmptiesBothQueues) {
    if (const char* const why = support::lacks(support::Ability::late_receives)) GTEST_SKIP() << why;
    provokes("CHECK-NO-RECEIVE");
    proves("ND2-QP-FLUSH-01", "ND2-QP-FLUSH-02");
    ConnectedPair pair(driver());
    for (Tag tag = 0; tag < 4; ++tag) ASSERT_EQ(pair.a.receive(tag), Outcome::success);
    for (Tag tag = 0; tag < 4; ++tag) ASSERT_EQ(pair.a.send(tag), Outcome::success);  // no receive there: they wait
    ASSERT_EQ(pair.a.queue_pair->flush(), Outcome::success);
    const auto sent = pair.a.initiated->poll(10);
    const auto received = pair.a.received->poll(10);
    ASSERT_EQ(sent.size(), 4u);
    ASSERT_EQ(received.size(), 4u);
    for (Tag tag = 0; tag < 4; ++tag) {
        EXPECT_EQ(sent[tag], (Completion{Outcome::canceled, 0, 0, tag, RequestKind::send}));
        EXPECT_EQ(received[tag], (Completion{Outcome::canceled, 0, 0, tag, RequestKind::receive}));
    }
}

TEST_P(Flush, TwiceSucceeds) {
    proves("ND2-QP-FLUSH-02");
    ConnectedPair pair(driver());
    EXPECT_EQ(pair.a.queue_pair->flush(), Outcome::success);
    EXPECT_EQ(pair.a.queue_pair->flush(), Outcome::success);
    EXPECT_TRUE(pair.a.initiated->poll(1).empty());
}

TEST_P(Flush, IsFollowedByAnOrderlyDisconnect) {
    proves("ND2-QP-FLUSH-03", "ND2-CLI-85");
    ConnectedPair pair(driver());
    const Operation lost = pair.b.connector->notify_disconnect();
    ASSERT_EQ(pair.a.queue_pair->flush(), Outcome::success);
    EXPECT_EQ(pair.a.connector->disconnect().wait(), Outcome::success);
    EXPECT_EQ(lost.wait(), Outcome::success);
}

// A later look at the queue pair does not end the connection either.
TEST_P(Flush, LeavesTheConnectionAsLongAsThePeerIsSilent) {
    if (const char* const why = support::lacks(support::Ability::outlives_flush)) GTEST_SKIP() << why;
    proves("ND2-QP-FLUSH-03", "ND1-EP-FLUSH-02");
    ConnectedPair pair(driver());
    const Operation a_lost = pair.a.connector->notify_disconnect(), b_lost = pair.b.connector->notify_disconnect();
    ASSERT_EQ(pair.b.queue_pair->flush(), Outcome::success);
    for (Tag tag = 0; tag < 8; ++tag) {
        ASSERT_EQ(pair.b.receive(tag, 0, 64), Outcome::success);
        ASSERT_TRUE(reports(*pair.b.received, RequestKind::receive, tag, Outcome::canceled));
        ASSERT_TRUE(pair.b.initiated->poll(1).empty());
    }
    let_news_arrive();
    EXPECT_EQ(a_lost.now(), Outcome::pending);
    EXPECT_EQ(b_lost.now(), Outcome::pending);
    EXPECT_EQ(pair.a.connector->disconnect().wait(), Outcome::success);
    EXPECT_EQ(b_lost.wait(), Outcome::success);
}

TEST_P(Flush, LeavesOtherQueuePairsOfTheQueueAlone) {
    proves("ND2-QP-FLUSH-04");
    Endpoint end(driver(), {});
    auto other = end.adapter->create_queue_pair(*end.received, *end.initiated, {});
    ASSERT_EQ(other->receive(1, {}), Outcome::success);
    ASSERT_EQ(end.receive(2), Outcome::success);
    ASSERT_EQ(end.queue_pair->flush(), Outcome::success);
    EXPECT_TRUE(reports_exactly(*end.received, {2}, Outcome::canceled));
    ASSERT_EQ(other->flush(), Outcome::success);
    EXPECT_TRUE(reports_exactly(*end.received, {1}, Outcome::canceled));
}

TEST_P(Flush, ThePeersRequestsTimeOutOnceAndThenFlush) {
    if (const char* const why = support::lacks(support::Ability::late_receives)) GTEST_SKIP() << why;
    provokes("CHECK-NO-RECEIVE");
    proves("ND2-QP-FLUSH-03");
    ConnectedPair pair(driver());
    ASSERT_EQ(pair.b.receive(1, 0, 64), Outcome::success);
    ASSERT_EQ(pair.b.queue_pair->flush(), Outcome::success);
    ASSERT_EQ(pair.a.send(2, 0, 64), Outcome::success);
    ASSERT_EQ(pair.a.send(3, 0, 64), Outcome::success);
    EXPECT_TRUE(reports(*pair.a.initiated, RequestKind::send, 2, Outcome::io_timeout));
    EXPECT_TRUE(reports_exactly(*pair.a.initiated, {3}, Outcome::canceled));
}

TEST_P(Flush, IsTheLastToTouchReceiveBuffers) {
    provokes("CHECK-NO-RECEIVE");
    proves("ND2-QP-FLUSH-05", "NDK-QP-FLUSH-03");
    constexpr std::size_t kSize = 32 * 1024;
    for (int round = 0; round < 30; ++round) {
        ConnectedPair pair(driver());
        fill_with(pair.a.bytes(0, kSize), std::byte{0xFF});
        ASSERT_EQ(pair.b.receive(1, 0, kSize), Outcome::success);
        ASSERT_EQ(pair.a.send(2, 0, kSize), Outcome::success);
        ASSERT_EQ(pair.b.queue_pair->flush(), Outcome::success);
        fill_with(pair.b.bytes(0, kSize), std::byte{0});
        const Completion received = next(*pair.b.received);
        ASSERT_TRUE(received.outcome == Outcome::success || received.outcome == Outcome::canceled) << received.outcome;
        const Completion sent = next(*pair.a.initiated);
        if (!support::lacks(support::Ability::tells_refusals)) {
            ASSERT_EQ(sent.outcome, received.outcome == Outcome::success ? Outcome::success : Outcome::io_timeout);
        }
        ASSERT_TRUE(is_filled_with(pair.b.bytes(0, kSize), std::byte{0})) << "written after Flush returned";
        if (received.outcome == Outcome::canceled) break;  // a timeout each time would take long
    }
}

INSTANTIATE_TEST_SUITE_P(, Flush, testing::ValuesIn(every_variant()), variant_name);

}  // namespace
}  // namespace opennd::conformance

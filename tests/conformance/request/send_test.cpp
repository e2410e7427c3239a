// SPDX-License-Identifier: MIT
//
// Send: the bytes that arrive, their number, and the sender's result. Requirements ND2-QP-SEND-*.
#include <array>

#include "conformance/vocabulary/fixture.h"
#include "conformance/vocabulary/sizes.h"
#include "support/tested_device.h"

namespace opennd::conformance {
namespace {

class Send : public ConformanceTest {};
class SendData : public DataTest {};

TEST_P(SendData, DeliversEveryByteOfEverySize) {
    proves("ND2-QP-SEND-01", "ND2-QP-RECV-03", "ND2-QP-POST-15", "ND2-CQ-GET-06");
    constexpr std::size_t kSlack = 32;
    auto pair = connected(kLargestMessage + kSlack);
    for (std::size_t size : kMessageSizes) {
        SCOPED_TRACE(size);
        fill_pattern(pair.a.bytes(0, size), size);
        fill_with(pair.b.bytes(0, size + kSlack), std::byte{0xEE});
        ASSERT_EQ(pair.b.receive(7, 0, size + kSlack), Outcome::success);
        ASSERT_EQ(pair.a.send(8, 0, size), Outcome::success);
        ASSERT_TRUE(reports_received(*pair.b.received, 7, size));
        ASSERT_TRUE(reports(*pair.a.initiated, RequestKind::send, 8, Outcome::success));
        ASSERT_TRUE(has_pattern(pair.b.bytes(0, size), size));
        ASSERT_TRUE(is_filled_with(pair.b.bytes(size, kSlack), std::byte{0xEE})) << "beyond the message";
    }
}

TEST_P(SendData, GathersAndScattersAcrossUnevenPieces) {
    proves("ND2-QP-SEND-01", "ND2-QP-RECV-03", "ND2-QP-POST-10");
    auto pair = connected(kMiB);
    if (pair.a.adapter->limits().max_initiator_sge < 4)
        GTEST_SKIP() << "a request has fewer entries here (MaxOutboundSge)";
    constexpr std::size_t kTotal = 1 + 4096 + 333'333 + 5;
    fill_pattern(pair.a.bytes(0, kTotal), 3);
    const std::array from{pair.a.piece(0, 1), pair.a.piece(1, 4096), pair.a.piece(4097, 333'333),
                          pair.a.piece(337'430, 5)};
    const std::array into{pair.b.piece(600'000, 100'001), pair.b.piece(100, 0), pair.b.piece(0, 7),
                          pair.b.piece(200'000, 300'000)};
    ASSERT_EQ(pair.b.queue_pair->receive(1, into), Outcome::success);
    ASSERT_EQ(pair.a.queue_pair->send(2, from, kNoFlags), Outcome::success);
    ASSERT_TRUE(reports_received(*pair.b.received, 1, kTotal));
    EXPECT_TRUE(has_pattern(pair.b.bytes(600'000, 100'001), 3, 0));
    EXPECT_TRUE(has_pattern(pair.b.bytes(0, 7), 3, 100'001));
    EXPECT_TRUE(has_pattern(pair.b.bytes(200'000, kTotal - 100'008), 3, 100'008));
}

TEST_P(SendData, LeavesTheSendersBufferAsItWas) {
    proves("ND2-QP-SEND-02");
    auto pair = connected(kMiB);
    fill_pattern(pair.a.bytes(0, kMiB), 1);
    ASSERT_EQ(pair.b.receive(1, 0, kMiB), Outcome::success);
    ASSERT_EQ(pair.a.send(2, 0, kMiB), Outcome::success);
    ASSERT_TRUE(reports(*pair.a.initiated, RequestKind::send, 2, Outcome::success));
    EXPECT_TRUE(has_pattern(pair.a.memory.bytes(), 1));
}

TEST_P(SendData, HasPlacedTheMessageWhenItsResultIsReported) {
    proves("ND2-QP-SEND-02");
    auto pair = connected(kMiB);
    for (std::size_t size : {std::size_t{64}, std::size_t{8192}, kMiB}) {
        fill_pattern(pair.a.bytes(0, size), size);
        ASSERT_EQ(pair.b.receive(1, 0, size), Outcome::success);
        ASSERT_EQ(pair.a.send(2, 0, size), Outcome::success);
        ASSERT_TRUE(reports(*pair.a.initiated, RequestKind::send, 2, Outcome::success));
        EXPECT_TRUE(has_pattern(pair.b.bytes(0, size), size)) << size;
        ASSERT_TRUE(reports_received(*pair.b.received, 1, size));
    }
}

TEST_P(Send, ConsumesOneReceiveEachInPostingOrder) {
    proves("ND2-QP-SEND-01", "ND2-CQ-GET-04");
    ConnectedPair pair(driver());
    for (Tag tag = 0; tag < 8; ++tag) ASSERT_EQ(pair.b.receive(100 + tag, tag * 64, 64), Outcome::success);
    for (Tag tag = 0; tag < 8; ++tag) ASSERT_EQ(pair.a.send(tag, 0, tag), Outcome::success);
    for (Tag tag = 0; tag < 8; ++tag) EXPECT_TRUE(reports_received(*pair.b.received, 100 + tag, tag));
}

TEST_P(Send, WorksInBothDirectionsAtOnce) {
    proves("ND2-QP-SEND-01");
    ConnectedPair pair(driver());
    for (Tag round = 0; round < 200; ++round) {
        ASSERT_EQ(pair.a.receive(round, 0, 512), Outcome::success);
        ASSERT_EQ(pair.b.receive(round, 0, 512), Outcome::success);
        fill_pattern(pair.a.bytes(1024, 512), round);
        fill_pattern(pair.b.bytes(1024, 512), round + 1000);
        ASSERT_EQ(pair.a.send(round, 1024, 512), Outcome::success);
        ASSERT_EQ(pair.b.send(round, 1024, 512), Outcome::success);
        ASSERT_TRUE(reports_received(*pair.a.received, round, 512));
        ASSERT_TRUE(reports_received(*pair.b.received, round, 512));
        ASSERT_TRUE(has_pattern(pair.a.bytes(0, 512), round + 1000));
        ASSERT_TRUE(has_pattern(pair.b.bytes(0, 512), round));
        ASSERT_TRUE(reports(*pair.a.initiated, RequestKind::send, round, Outcome::success));
        ASSERT_TRUE(reports(*pair.b.initiated, RequestKind::send, round, Outcome::success));
    }
}

TEST_P(Send, ReportsNoBytesToTheSender) {
    proves("ND2-CQ-GET-03");
    ConnectedPair pair(driver());
    ASSERT_EQ(pair.b.receive(1, 0, 100), Outcome::success);
    ASSERT_EQ(pair.a.send(2, 0, 100), Outcome::success);
    const Completion sent = next(*pair.a.initiated);
    EXPECT_EQ(sent.outcome, Outcome::success);
    EXPECT_EQ(sent.bytes, 0u);
}

TEST_P(Send, FindsAReceivePostedWhileItWaits) {
    if (const char* const why = support::lacks(support::Ability::late_receives)) GTEST_SKIP() << why;
    provokes("CHECK-NO-RECEIVE", "CHECK-RECEIVE-LATE");
    proves("ND2-QP-SEND-05");
    ConnectedPair pair(driver());
    fill_pattern(pair.a.bytes(0, 9000), 5);
    ASSERT_EQ(pair.a.send(1, 0, 9000), Outcome::success);
    EXPECT_TRUE(pair.a.initiated->poll(1).empty()) << "there is no receive, so nothing can have been placed";
    ASSERT_EQ(pair.b.receive(2, 0, 9000), Outcome::success);
    EXPECT_TRUE(reports_received(*pair.b.received, 2, 9000));
    EXPECT_TRUE(has_pattern(pair.b.bytes(0, 9000), 5));
    EXPECT_TRUE(reports(*pair.a.initiated, RequestKind::send, 1, Outcome::success));
}

TEST_P(Send, TimesOutIfThePeerNeverPostsAReceive) {
    if (const char* const why = support::lacks(support::Ability::late_receives)) GTEST_SKIP() << why;
    provokes("CHECK-NO-RECEIVE");
    proves("ND2-QP-SEND-05", "ND2-QP-ERR-01", "ND2-QP-SEND-09");
    ConnectedPair pair(driver());
    const Operation lost = pair.b.connector->notify_disconnect();
    ASSERT_EQ(pair.a.send(1, 0, 100), Outcome::success);
    ASSERT_EQ(pair.a.send(2, 0, 100), Outcome::success);
    EXPECT_TRUE(reports(*pair.a.initiated, RequestKind::send, 1, Outcome::io_timeout));
    EXPECT_TRUE(reports(*pair.a.initiated, RequestKind::send, 2, Outcome::canceled));
    EXPECT_EQ(lost.wait(), Outcome::success) << "the connection must end";
    EXPECT_TRUE(pair.b.received->poll(1).empty()) << "the receiver posted nothing, so it may get no result";
}

TEST_P(Send, LargerThanAnyBufferTimesOutWithoutAReceiveToo) {
    if (const char* const why = support::lacks(support::Ability::late_receives)) GTEST_SKIP() << why;
    provokes("CHECK-NO-RECEIVE");
    proves("ND2-QP-SEND-05", "ND2-CLI-22");
    ConnectedPair pair(driver(), EndpointOptions{.memory_bytes = 4 * kMiB});
    ASSERT_EQ(pair.a.send(1, 0, 4 * kMiB), Outcome::success);
    EXPECT_TRUE(reports(*pair.a.initiated, RequestKind::send, 1, Outcome::io_timeout));
}

// Messages on their way when the peer disconnects are canceled: then it is tried again.
TEST_P(Send, ThatWaitsForAReceiveReportsTimeoutIfThePeerDisconnects) {
    if (const char* const why = support::lacks(support::Ability::names_waiting_sends)) GTEST_SKIP() << why;
    provokes("CHECK-NO-RECEIVE");
    proves("ND2-QP-SEND-06", "ND2-CLI-22");
    for (int attempt = 0; attempt < attempts(); ++attempt) {
        ConnectedPair pair(driver());
        ASSERT_EQ(pair.b.receive(0, 0, 100), Outcome::success);
        for (Tag tag = 0; tag < 3; ++tag) ASSERT_EQ(pair.a.send(tag, 0, 100), Outcome::success);
        ASSERT_TRUE(reports_received(*pair.b.received, 0, 100));
        ASSERT_TRUE(reports(*pair.a.initiated, RequestKind::send, 0, Outcome::success))
            << "the others are close behind";
        ASSERT_EQ(pair.b.connector->disconnect().wait(), Outcome::success);
        const Completion waiting = next(*pair.a.initiated);
        EXPECT_TRUE(reports(*pair.a.initiated, RequestKind::send, 2, Outcome::canceled));
        if (waiting.outcome == Outcome::canceled && attempt + 1 < attempts()) continue;
        EXPECT_EQ(waiting.outcome, Outcome::io_timeout) << waiting;
        return;
    }
}

TEST_P(Send, TooLongForTheReceiveEndsInADataErrorAndAnOverrun) {
    if (const char* const why = support::lacks(support::Ability::tells_refusals)) GTEST_SKIP() << why;
    proves("ND2-QP-SEND-07", "ND2-QP-ERR-01", "ND2-AMB-04", "ND2-AMB-05");
    ConnectedPair pair(driver());
    const Operation lost = pair.a.connector->notify_disconnect();
    fill_with(pair.b.bytes(0, 2048), std::byte{0xEE});
    ASSERT_EQ(pair.b.receive(1, 0, 1023), Outcome::success);
    ASSERT_EQ(pair.b.receive(2, 1100, 100), Outcome::success);
    ASSERT_EQ(pair.a.send(3, 0, 1024), Outcome::success);
    EXPECT_TRUE(reports(*pair.b.received, RequestKind::receive, 1, Outcome::data_overrun));
    EXPECT_TRUE(reports(*pair.b.received, RequestKind::receive, 2, Outcome::canceled));
    EXPECT_TRUE(reports(*pair.a.initiated, RequestKind::send, 3, Outcome::data_error));
    EXPECT_EQ(lost.wait(), Outcome::success);
    EXPECT_TRUE(is_filled_with(pair.b.bytes(1023, 1025), std::byte{0xEE})) << "beyond the receive";
}

TEST_P(Send, LargeAndTooLongForTheReceiveWritesNothingBeyondIt) {
    if (const char* const why = support::lacks(support::Ability::tells_refusals)) GTEST_SKIP() << why;
    proves("ND2-QP-SEND-07");
    ConnectedPair pair(driver(), EndpointOptions{.memory_bytes = 2 * kMiB});
    fill_with(pair.b.memory.bytes(), std::byte{0xEE});
    ASSERT_EQ(pair.b.receive(1, 0, kMiB), Outcome::success);
    ASSERT_EQ(pair.a.send(2, 0, kMiB + 1), Outcome::success);
    EXPECT_TRUE(reports(*pair.b.received, RequestKind::receive, 1, Outcome::data_overrun));
    EXPECT_TRUE(reports(*pair.a.initiated, RequestKind::send, 2, Outcome::data_error));
    EXPECT_TRUE(is_filled_with(pair.b.bytes(kMiB, kMiB), std::byte{0xEE}));
}

TEST_P(Send, ToAZeroLengthReceiveOfOneByteIsAnOverrun) {
    if (const char* const why = support::lacks(support::Ability::tells_refusals)) GTEST_SKIP() << why;
    proves("ND2-QP-SEND-07");
    ConnectedPair pair(driver());
    ASSERT_EQ(pair.b.receive(1), Outcome::success);
    ASSERT_EQ(pair.a.send(2, 0, 1), Outcome::success);
    EXPECT_TRUE(reports(*pair.b.received, RequestKind::receive, 1, Outcome::data_overrun));
    EXPECT_TRUE(reports(*pair.a.initiated, RequestKind::send, 2, Outcome::data_error));
}

TEST_P(Send, FromThePassiveSideMayBeTheFirst) {
    proves("ND2-QP-SEND-08", "ND2-AMB-24");
    Handshake handshake(driver());
    ASSERT_EQ(handshake.active.receive(1, 0, 64), Outcome::success);
    handshake.connected();
    ASSERT_EQ(handshake.passive.send(2, 0, 64), Outcome::success);
    EXPECT_TRUE(reports_received(*handshake.active.received, 1, 64));
}

TEST_P(Send, AlreadyPlacedReportsSuccessAlthoughAnErrorFollows) {
    if (const char* const why = support::lacks(support::Ability::tells_refusals)) GTEST_SKIP() << why;
    proves("ND2-QP-ERR-02");
    ConnectedPair pair(driver());
    ASSERT_EQ(pair.b.receive(1, 0, 64), Outcome::success);
    ASSERT_EQ(pair.b.receive(2, 64, 8), Outcome::success);
    ASSERT_EQ(pair.a.send(3, 0, 64), Outcome::success);
    ASSERT_EQ(pair.a.send(4, 0, 64), Outcome::success);
    EXPECT_TRUE(reports(*pair.a.initiated, RequestKind::send, 3, Outcome::success));
    EXPECT_TRUE(reports(*pair.a.initiated, RequestKind::send, 4, Outcome::data_error));
    EXPECT_TRUE(reports_received(*pair.b.received, 1, 64));
    EXPECT_TRUE(reports(*pair.b.received, RequestKind::receive, 2, Outcome::data_overrun));
}

INSTANTIATE_TEST_SUITE_P(, Send, testing::ValuesIn(every_variant()), variant_name);
INSTANTIATE_TEST_SUITE_P(, SendData, every_data_variant(), data_variant_name);

}  // namespace
}  // namespace opennd::conformance

// SPDX-License-Identifier: MIT
//
// Receive: when it may be posted, its arguments, when it ends. Requirements ND2-QP-RECV-*.
#include <array>

#include "conformance/vocabulary/fixture.h"
#include "support/tested_device.h"

namespace opennd::conformance {
namespace {

class Receive : public ConformanceTest {};

TEST_P(Receive, PostedBeforeConnectingTakesTheFirstMessage) {
    proves("ND2-QP-RECV-01");
    Handshake handshake(driver());
    ASSERT_EQ(handshake.active.receive(1, 0, 64), Outcome::success);
    ASSERT_EQ(handshake.passive.receive(2, 0, 64), Outcome::success);
    handshake.connected();
    ASSERT_EQ(handshake.active.send(3, 0, 10), Outcome::success);
    ASSERT_EQ(handshake.passive.send(4, 0, 20), Outcome::success);
    EXPECT_TRUE(reports_received(*handshake.passive.received, 2, 10));
    EXPECT_TRUE(reports_received(*handshake.active.received, 1, 20));
}

TEST_P(Receive, SurvivesAFailedConnectAndServesTheNextOne) {
    proves("ND2-QP-RECV-04", "ND2-CON-CONN-06");
    Handshake handshake(driver());
    ASSERT_EQ(handshake.active.receive(1, 0, 64), Outcome::success);
    handshake.requested();
    ASSERT_EQ(handshake.passive.connector->reject({}), Outcome::success);
    ASSERT_EQ(handshake.connect->wait(), Outcome::connection_refused);
    EXPECT_TRUE(handshake.active.received->poll(1).empty());

    auto second = handshake.passive.adapter->create_connector();
    const Operation request = handshake.listener->get_request(*second);
    const Operation connect =
        handshake.active.connector->connect(*handshake.active.queue_pair, handshake.address, {}, {});
    ASSERT_EQ(request.wait(), Outcome::success);
    const Operation accept = second->accept(*handshake.passive.queue_pair, {}, {});
    ASSERT_EQ(connect.wait(), Outcome::success);
    ASSERT_EQ(handshake.active.connector->complete_connect().wait(), Outcome::success);
    ASSERT_EQ(accept.wait(), Outcome::success);
    ASSERT_EQ(handshake.passive.send(2, 0, 33), Outcome::success);
    EXPECT_TRUE(reports_received(*handshake.active.received, 1, 33));
}

TEST_P(Receive, WithoutLocalWriteIsAnAccessViolation) {
    if (const char* const why = support::lacks(support::Ability::tells_refusals)) GTEST_SKIP() << why;
    provokes("CHECK-ENTRY");
    proves("ND2-QP-RECV-02");
    ConnectedPair pair(driver());
    auto read_only = registered(*pair.b.adapter, pair.b.memory.data(), 64, kSendOnly);
    const std::array sge{Sge{pair.b.memory.data(), 64, read_only->local_token()}};
    ASSERT_EQ(pair.b.queue_pair->receive(1, sge), Outcome::success);
    ASSERT_EQ(pair.a.send(2, 0, 64), Outcome::success);
    EXPECT_TRUE(reports(*pair.b.received, RequestKind::receive, 1, Outcome::access_violation));
    EXPECT_TRUE(reports(*pair.a.initiated, RequestKind::send, 2, Outcome::data_error));
}

TEST_P(Receive, IntoAReadSinkAloneIsAnAccessViolation) {
    if (const char* const why = support::lacks(support::Ability::read_sinks)) GTEST_SKIP() << why;
    provokes("CHECK-ENTRY");
    proves("ND2-MR-REG-03");
    ConnectedPair pair(driver());
    auto sink = registered(*pair.b.adapter, pair.b.memory.data(), 64, kReadSink);
    const std::array sge{Sge{pair.b.memory.data(), 64, sink->local_token()}};
    ASSERT_EQ(pair.b.queue_pair->receive(1, sge), Outcome::success);
    ASSERT_EQ(pair.a.send(2, 0, 64), Outcome::success);
    EXPECT_TRUE(reports(*pair.b.received, RequestKind::receive, 1, Outcome::access_violation));
}

TEST_P(Receive, BeyondItsRegionIsAnAccessViolationAndWritesNothingThere) {
    if (const char* const why = support::lacks(support::Ability::tells_refusals)) GTEST_SKIP() << why;
    provokes("CHECK-ENTRY");
    proves("ND2-QP-RECV-02");
    ConnectedPair pair(driver());
    fill_with(pair.b.memory.bytes(), std::byte{0xEE});
    auto small = registered(*pair.b.adapter, pair.b.memory.data(), 100, kLocalWrite);
    const std::array sge{Sge{pair.b.memory.data(), 101, small->local_token()}};
    ASSERT_EQ(pair.b.queue_pair->receive(1, sge), Outcome::success);
    ASSERT_EQ(pair.a.send(2, 0, 101), Outcome::success);
    EXPECT_TRUE(reports(*pair.b.received, RequestKind::receive, 1, Outcome::access_violation));
    EXPECT_TRUE(reports(*pair.a.initiated, RequestKind::send, 2, Outcome::data_error));
    EXPECT_TRUE(is_filled_with(pair.b.bytes(100, 1), std::byte{0xEE}));
}

TEST_P(Receive, ThroughAWithdrawnTokenIsAnAccessViolation) {
    proves("ND2-QP-RECV-02", "ND2-QP-POST-10", "ND2-MR-DEREG-02");
    ConnectedPair pair(driver());
    auto region = registered(*pair.b.adapter, pair.b.memory.data(), 100, kLocalWrite);
    const std::array sge{Sge{pair.b.memory.data(), 100, region->local_token()}};
    ASSERT_EQ(pair.b.queue_pair->receive(1, sge), Outcome::success);
    ASSERT_EQ(region->withdraw().wait(), Outcome::success);
    ASSERT_EQ(pair.a.send(2, 0, 100), Outcome::success);
    EXPECT_TRUE(reports(*pair.b.received, RequestKind::receive, 1, Outcome::access_violation));
}

TEST_P(Receive, OfAMessageThatArrivedBeforeTheDisconnectSucceeds) {
    proves("ND2-QP-RECV-05", "ND2-CON-DISC-02", "ND2-CON-DISC-05", "ND2-CLI-33");
    ConnectedPair pair(driver());
    for (Tag tag = 1; tag <= 6; ++tag) ASSERT_EQ(pair.b.receive(tag, tag * 64, 64), Outcome::success);
    for (Tag tag = 1; tag <= 4; ++tag) ASSERT_EQ(pair.a.send(tag, 0, 64), Outcome::success);
    for (Tag tag = 1; tag <= 4; ++tag) {
        ASSERT_TRUE(reports(*pair.a.initiated, RequestKind::send, tag, Outcome::success));
    }
    ASSERT_EQ(pair.a.connector->disconnect().wait(), Outcome::success);
    for (Tag tag = 1; tag <= 4; ++tag) EXPECT_TRUE(reports_received(*pair.b.received, tag, 64));
    EXPECT_TRUE(reports_exactly(*pair.b.received, {5, 6}, Outcome::canceled));
}

TEST_P(Receive, AfterThePeerDisconnectedIsAcceptedAndFlushes) {
    proves("ND2-QP-POST-07", "ND2-QP-RECV-01", "ND2-CLI-67");
    ConnectedPair pair(driver());
    const Operation lost = pair.b.connector->notify_disconnect();
    ASSERT_EQ(pair.a.connector->disconnect().wait(), Outcome::success);
    ASSERT_EQ(lost.wait(), Outcome::success);
    ASSERT_EQ(pair.b.receive(1, 0, 64), Outcome::success);
    EXPECT_TRUE(reports_exactly(*pair.b.received, {1}, Outcome::canceled));
}

TEST_P(Receive, CarriesTheContextOfItsQueuePair) {
    proves("ND2-ADP-QP-07", "ND2-AMB-30");
    ConnectedPair pair(driver(), EndpointOptions{.queue_pair = {.context = 0xC0FFEE}});
    ASSERT_EQ(pair.b.receive(1), Outcome::success);
    ASSERT_EQ(pair.a.send(2), Outcome::success);
    EXPECT_EQ(next(*pair.b.received), (Completion{Outcome::success, 0, 0xC0FFEE, 1, RequestKind::receive}));
    EXPECT_EQ(next(*pair.a.initiated), (Completion{Outcome::success, 0, 0xC0FFEE, 2, RequestKind::send}));
}

INSTANTIATE_TEST_SUITE_P(, Receive, testing::ValuesIn(every_variant()), variant_name);

}  // namespace
}  // namespace opennd::conformance

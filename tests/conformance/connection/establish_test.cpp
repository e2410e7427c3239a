// SPDX-License-Identifier: MIT
//
// The last steps of a handshake: the moment each step takes effect, and the steps without a time limit. Requirements
// ND2-CON-PORT-01, ND2-CON-CMPL-03, -04, ND2-CON-ACC-05, -06.

#include "conformance/vocabulary/fixture.h"
#include "support/tested_device.h"

namespace opennd::conformance {
namespace {

class Establish : public ConformanceTest {};

TEST_P(Establish, TakesThePortOfAListenerFromThePeerAndThatOfAConnectorAsALabel) {
    proves("ND2-CON-PORT-01", "ND2-CON-BIND-03");
    Handshake handshake(driver());
    handshake.listener = listening(*handshake.passive.adapter);
    handshake.address = address_of(*handshake.listener);
    ASSERT_EQ(handshake.active.connector->bind(handshake.address), Outcome::success) << "a label may be a listener's";
    Endpoint neighbour(driver(), {});
    ASSERT_EQ(neighbour.connector->bind(handshake.address), Outcome::success) << "and another connector's";
    const Operation request = handshake.listener->get_request(*handshake.passive.connector);
    const Operation connect =
        handshake.active.connector->connect(*handshake.active.queue_pair, handshake.address, {}, {});
    ASSERT_EQ(request.wait(), Outcome::success);
    const Operation accept = handshake.passive.connector->accept(*handshake.passive.queue_pair, {}, {});
    ASSERT_EQ(connect.wait(), Outcome::success);
    ASSERT_EQ(handshake.active.connector->complete_connect().wait(), Outcome::success);
    ASSERT_EQ(accept.wait(), Outcome::success);
    SocketAddress address{};
    ASSERT_EQ(handshake.active.connector->peer_address(address), Outcome::success);
    EXPECT_EQ(address.ipv4.sin_port, handshake.address.ipv4.sin_port) << "the port that the peer named";
    ASSERT_EQ(handshake.active.connector->local_address(address), Outcome::success);
    EXPECT_EQ(address.ipv4.sin_port, handshake.address.ipv4.sin_port) << "the label";
    ASSERT_EQ(handshake.passive.connector->local_address(address), Outcome::success);
    EXPECT_EQ(address.ipv4.sin_port, handshake.address.ipv4.sin_port);
}

// 1.2 seconds are more than any time limit that these transports have (ND2-QP-SEND-05 has the longest, 1 second).
TEST_P(Establish, WaitsForCompleteConnectForAsLongAsItTakes) {
    proves("ND2-CON-CMPL-03", "ND2-CON-ACC-05");
    if (const char* const why = support::lacks(support::Ability::complete_connect)) GTEST_SKIP() << why;
    Handshake handshake(driver());
    handshake.replied();
    EXPECT_EQ(handshake.accept->wait(milliseconds{1200}), Outcome::nothing_by_the_deadline);
    EXPECT_EQ(handshake.active.connector->complete_connect().wait(), Outcome::success);
    EXPECT_EQ(handshake.accept->wait(), Outcome::success);
    ASSERT_EQ(handshake.passive.receive(1, 0, 8), Outcome::success);
    ASSERT_EQ(handshake.active.send(2, 0, 8), Outcome::success);
    EXPECT_TRUE(reports_received(*handshake.passive.received, 1, 8));
}

TEST_P(Establish, PutsTheNegotiatedReadLimitsInForce) {
    if (const char* const why = support::lacks(support::Ability::settles_limits)) GTEST_SKIP() << why;
    provokes("CHECK-READ-LIMIT");
    proves("ND2-CON-CMPL-04", "ND2-CON-LIM-04", "ND2-QP-READ-03");
    struct Case {
        ReadLimits connect, accept;
        Outcome active_reads, passive_reads;
    };
    const Case cases[] = {
        {{4, 4}, {4, 4}, Outcome::success, Outcome::success},
        {{4, 0}, {4, 4}, Outcome::invalid_request, Outcome::success},  // the active side offers none
        {{4, 4}, {0, 4}, Outcome::invalid_request, Outcome::success},  // the passive side grants none
        {{0, 4}, {4, 4}, Outcome::success, Outcome::invalid_request},
        {{4, 4}, {4, 0}, Outcome::success, Outcome::invalid_request},
    };
    for (const Case& each : cases) {
        SCOPED_TRACE(testing::Message() << "Connect: " << each.connect << "; Accept: " << each.accept);
        HandshakeOptions options;
        options.connect_limits = each.connect;
        options.accept_limits = each.accept;
        Handshake handshake(driver(), options);
        handshake.connected();
        Endpoint& active = handshake.active;
        Endpoint& passive = handshake.passive;
        // The one that succeeds goes first: the other ends the connection.
        const bool active_first = each.active_reads == Outcome::success;
        for (const bool by_active : {active_first, !active_first}) {
            Endpoint& reader = by_active ? active : passive;
            ASSERT_EQ(reader.read(1, 0, 8, (by_active ? passive : active).remote()), Outcome::success);
            EXPECT_TRUE(
                reports(*reader.initiated, RequestKind::read, 1, by_active ? each.active_reads : each.passive_reads));
        }
    }
}

TEST_P(Establish, GivesReceivedDataWithoutWaitingForAccept) {
    proves("ND2-CON-ACC-06");
    for (int round = 0; round < 20; ++round) {
        Handshake handshake(driver());
        handshake.replied();
        fill_pattern(handshake.active.bytes(0, 100), 7);
        ASSERT_EQ(handshake.passive.receive(1, 0, 100), Outcome::success);
        const Operation complete = handshake.active.connector->complete_connect();
        ASSERT_EQ(complete.begun(), Outcome::pending);
        ASSERT_EQ(handshake.active.send(2, 0, 100), Outcome::success) << "CompleteConnect was accepted";
        EXPECT_TRUE(reports_received(*handshake.passive.received, 1, 100)) << "nobody looked at Accept";
        EXPECT_TRUE(has_pattern(handshake.passive.bytes(0, 100), 7));
        EXPECT_EQ(handshake.accept->wait(), Outcome::success);
        EXPECT_EQ(complete.wait(), Outcome::success);
    }
}

INSTANTIATE_TEST_SUITE_P(, Establish, testing::ValuesIn(every_variant()), variant_name);

}  // namespace
}  // namespace opennd::conformance

// SPDX-License-Identifier: MIT
//
// Establishing a connection and failing to: Connect, CompleteConnect, Accept, Reject, release in between. Requirements
// ND2-CON-CONN-*, -CMPL-*, -ACC-*, -REJ-*, -REL-01; data and limits are in connect_data_test.cpp.
#include <arpa/inet.h>
#include <cstdlib>

#include "conformance/vocabulary/carried_data.h"
#include "conformance/vocabulary/fixture.h"
#include "support/tested_device.h"

namespace opennd::conformance {
namespace {

class Connect : public ConformanceTest {};

TEST_P(Connect, TakesBothSidesToConnected) {
    proves("ND2-CON-CONN-04", "ND2-CON-CMPL-01", "ND2-CON-ACC-02", "ND2-LIS-REQ-01", "ND2-CON-CONN-08");
    if (const char* const why = support::lacks(support::Ability::complete_connect)) GTEST_SKIP() << why;
    Handshake handshake(driver());
    handshake.accepting();
    ASSERT_EQ(handshake.connect->wait(), Outcome::success);
    EXPECT_EQ(handshake.accept->now(), Outcome::pending) << "Accept waits for CompleteConnect";
    EXPECT_EQ(handshake.active.connector->complete_connect().wait(), Outcome::success);
    EXPECT_EQ(handshake.accept->wait(), Outcome::success);
}

TEST_P(Connect, PendsUntilThePeerAnswers) {
    proves("ND2-CON-CONN-07", "ND2-LIS-REQ-08");
    Handshake handshake(driver());
    handshake.requested();
    EXPECT_EQ(handshake.connect->now(), Outcome::pending);
}

TEST_P(Connect, ManyTimesInARowLeavesNothingBehind) {
    proves("ND2-CLI-35", "ND2-CON-DISC-07");
    for (int round = 0; round < 100; ++round) {
        ConnectedPair pair(driver());
        ASSERT_EQ(pair.b.receive(1, 0, 8), Outcome::success);
        ASSERT_EQ(pair.a.send(2, 0, 8), Outcome::success);
        ASSERT_TRUE(reports_received(*pair.b.received, 1, 8)) << round;
    }
}

// One side of many connections, which all end with it.
struct ManyEnds {
    explicit ManyEnds(Driver& driver) : adapter(driver.open_adapter()), results(adapter->create_completion_queue(8)) {}

    void add() {
        queue_pairs.push_back(adapter->create_queue_pair(*results, *results, {}));
        connectors.push_back(adapter->create_connector());
    }

    std::unique_ptr<Adapter> adapter;
    std::unique_ptr<CompletionQueue> results;
    std::vector<std::unique_ptr<QueuePair>> queue_pairs;
    std::vector<std::unique_ptr<Connector>> connectors;
};

// The last records of many connections lie unread where they are closed.
TEST_P(Connect, RightAfterManyConnectionsEndedAtOnce) {
    if (const char* const why = support::lacks(support::Ability::many_queues)) GTEST_SKIP() << why;
    proves("ND2-CLI-35", "ND2-CON-DISC-07");
    constexpr int kConnections = 128;
    const int rounds = std::getenv("OPENND_TEST_DEVICE") ? 2 : 8;  // a soft device connects ten in a second
    for (int round = 0; round < rounds; ++round) {
        ManyEnds a(driver()), b(driver());
        const auto listener = listening(*b.adapter);
        for (int i = 0; i < kConnections; ++i) {
            a.add();
            b.add();
            const Operation request = listener->get_request(*b.connectors.back());
            ASSERT_EQ(a.connectors.back()->bind(local_address()), Outcome::success);
            const Operation connect =
                a.connectors.back()->connect(*a.queue_pairs.back(), address_of(*listener), {}, {});
            ASSERT_TRUE(
                wait_until([&] { return request.now() != Outcome::pending || connect.now() != Outcome::pending; }));
            ASSERT_EQ(request.now(), Outcome::success) << "Connect: " << connect.now();
            const Operation accept = b.connectors.back()->accept(*b.queue_pairs.back(), {}, {});
            ASSERT_EQ(connect.wait(), Outcome::success);
            ASSERT_EQ(a.connectors.back()->complete_connect().wait(), Outcome::success);
            ASSERT_EQ(accept.wait(), Outcome::success);
        }
    }
}

TEST_P(Connect, NamesBothAddressesOnBothSides) {
    proves("ND2-CON-CONN-10", "ND2-CON-PORT-02", "ND2-CLI-38", "ND2-CLI-116");
    Handshake handshake(driver());
    handshake.requested();
    SocketAddress at_active{}, at_passive{};
    ASSERT_EQ(handshake.active.connector->local_address(at_active), Outcome::success);
    EXPECT_TRUE(at_active.same_host(local_address()));
    EXPECT_GE(ntohs(at_active.ipv4.sin_port), 49152) << "a free port of the dynamic range";
    ASSERT_EQ(handshake.active.connector->peer_address(at_active), Outcome::success);
    EXPECT_EQ(at_active.ipv4.sin_port, handshake.address.ipv4.sin_port);
    ASSERT_EQ(handshake.passive.connector->local_address(at_passive), Outcome::success);
    EXPECT_EQ(at_passive.ipv4.sin_port, handshake.address.ipv4.sin_port);
    ASSERT_EQ(handshake.passive.connector->peer_address(at_passive), Outcome::success);
    EXPECT_TRUE(at_passive.same_host(local_address()));
}

TEST_P(Connect, WithoutAListenerIsRefusedAgainAndAgain) {
    proves("ND2-CON-CONN-05", "ND2-CON-CONN-06", "ND2-OVL-03");
    Handshake handshake(driver());
    handshake.bound();
    handshake.listener.reset();
    for (int attempt = 0; attempt < 3; ++attempt) {
        const Operation connect =
            handshake.active.connector->connect(*handshake.active.queue_pair, handshake.address, {}, {});
        ASSERT_EQ(connect.begun(), Outcome::pending) << "an outcome of the network is never inline";
        ASSERT_EQ(connect.wait(), Outcome::connection_refused);
    }
}

TEST_P(Connect, AfterARefusalSucceedsWithTheSameObjects) {
    proves("ND2-CON-CONN-06");
    Handshake handshake(driver());
    handshake.bound();
    handshake.listener.reset();
    ASSERT_EQ(handshake.active.connector->connect(*handshake.active.queue_pair, handshake.address, {}, {}).wait(),
              Outcome::connection_refused);
    handshake.listener = handshake.passive.adapter->create_listener();
    ASSERT_EQ(handshake.listener->bind(handshake.address), Outcome::success) << "ND2-LIS-BIND-03";
    ASSERT_EQ(handshake.listener->listen(0), Outcome::success);
    const Operation request = handshake.listener->get_request(*handshake.passive.connector);
    const Operation connect =
        handshake.active.connector->connect(*handshake.active.queue_pair, handshake.address, {}, {});
    ASSERT_EQ(request.wait(), Outcome::success);
    const Operation accept = handshake.passive.connector->accept(*handshake.passive.queue_pair, {}, {});
    ASSERT_EQ(connect.wait(), Outcome::success);
    EXPECT_EQ(handshake.active.connector->complete_connect().wait(), Outcome::success);
    EXPECT_EQ(accept.wait(), Outcome::success);
}

TEST_P(Connect, ToTheUnspecifiedAddressIsABadNetworkName) {
    proves("ND2-CON-CONN-05", "ND2-AMB-22", "ND2-CLI-11");
    Handshake handshake(driver());
    handshake.bound();
    SocketAddress nowhere = handshake.address;
    nowhere.set_host("0.0.0.0", "::");
    const Operation connect = handshake.active.connector->connect(*handshake.active.queue_pair, nowhere, {}, {});
    EXPECT_EQ(connect.begun(), Outcome::pending);
    EXPECT_EQ(connect.wait(), Outcome::bad_network_name);
}

TEST_P(Connect, ToPortZeroOrMulticastIsAnInvalidAddress) {
    proves("ND2-CON-CONN-01");
    Handshake handshake(driver());
    handshake.bound();
    SocketAddress address = local_address(0);
    EXPECT_EQ(handshake.active.connector->connect(*handshake.active.queue_pair, address, {}, {}).begun(),
              Outcome::invalid_address);
    address = handshake.address;
    address.set_host("224.0.0.1", "ff02::1");
    EXPECT_EQ(handshake.active.connector->connect(*handshake.active.queue_pair, address, {}, {}).begun(),
              Outcome::invalid_address);
}

TEST_P(Connect, OfAQueuePairInUseIsConnectionActive) {
    proves("ND2-CON-CONN-01", "ND2-CON-ACC-08", "ND2-QP-REL-03");
    ConnectedPair pair(driver());
    auto second = pair.a.adapter->create_connector();
    ASSERT_EQ(second->bind(local_address()), Outcome::success);
    EXPECT_EQ(second->connect(*pair.a.queue_pair, pair.handshake->address, {}, {}).begun(), Outcome::connection_active);
}

TEST_P(Connect, WithTheSameFourTupleAsALiveConnectionFails) {
    proves("ND2-CON-BIND-04", "ND2-CON-BIND-03");
    ConnectedPair pair(driver());
    SocketAddress taken{};
    ASSERT_EQ(pair.a.connector->local_address(taken), Outcome::success);
    auto second = pair.a.adapter->create_connector();
    auto queue_pair = pair.a.adapter->create_queue_pair(*pair.a.received, *pair.a.initiated, {});
    ASSERT_EQ(second->bind(taken), Outcome::success);
    const Operation connect = second->connect(*queue_pair, pair.handshake->address, {}, {});
    EXPECT_EQ(connect.begun(), Outcome::pending);
    EXPECT_EQ(connect.wait(), Outcome::address_already_exists);
}

TEST_P(Connect, CanceledEndsTheConnectorAndFreesTheQueuePair) {
    proves("ND2-OVL-14", "ND2-CON-CONN-05");
    Handshake handshake(driver());
    handshake.requested();
    handshake.active.connector->cancel();
    EXPECT_EQ(handshake.connect->now(), Outcome::canceled);
    EXPECT_EQ(handshake.active.send(1), Outcome::connection_invalid) << "the queue pair is idle again";
    EXPECT_EQ(handshake.active.connector->connect(*handshake.active.queue_pair, handshake.address, {}, {}).begun(),
              Outcome::invalid_state)
        << "the connector is done";
    auto fresh = handshake.active.adapter->create_connector();
    ASSERT_EQ(fresh->bind(local_address()), Outcome::success);
    EXPECT_EQ(fresh->connect(*handshake.active.queue_pair, handshake.address, {}, {}).begun(), Outcome::pending);
}

// docs/decisions/0073. Version 1: nd1/handshake_test.cpp.
TEST_P(Connect, CanceledLeavesAQueuePairThatConnectsWithAnotherConnector) {
    proves("ND2-OVL-14", "ND2-CON-CONN-05", "ND2-CON-CONN-06");
    Handshake handshake(driver());
    handshake.requested();
    Endpoint &active = handshake.active, &passive = handshake.passive;
    ASSERT_EQ(active.receive(1, 0, 64), Outcome::success);
    active.connector->cancel();
    ASSERT_EQ(handshake.connect->now(), Outcome::canceled);
    active.connector = active.adapter->create_connector();
    passive.connector = passive.adapter->create_connector();
    ASSERT_EQ(active.connector->bind(local_address()), Outcome::success);
    const Operation request = handshake.listener->get_request(*passive.connector);
    const Operation connect = active.connector->connect(*active.queue_pair, handshake.address, {}, {});
    ASSERT_EQ(request.wait(), Outcome::success);
    const Operation accept = passive.connector->accept(*passive.queue_pair, {}, {});
    ASSERT_EQ(connect.wait(), Outcome::success);
    ASSERT_EQ(active.connector->complete_connect().wait(), Outcome::success);
    ASSERT_EQ(accept.wait(), Outcome::success);
    ASSERT_EQ(passive.send(2, 0, 64), Outcome::success);
    EXPECT_TRUE(reports_received(*active.received, 1, 64)) << "posted before the first attempt";
}

TEST_P(Connect, EndsWhenItsQueuePairIsReleased) {
    proves("ND2-CON-CONN-05", "ND2-QP-REL-01");
    Handshake handshake(driver());
    handshake.requested();
    handshake.active.queue_pair.reset();
    EXPECT_EQ(handshake.connect->wait(), Outcome::canceled);
}

TEST_P(Connect, IsRefusedIfThePeerReleasesTheRequestedConnector) {
    proves("ND2-CON-REL-01", "ND2-CON-CONN-05");
    Handshake handshake(driver());
    handshake.requested();
    handshake.passive.connector.reset();
    EXPECT_EQ(handshake.connect->wait(), Outcome::connection_refused);
}

class CompleteConnect : public ConformanceTest {};

TEST_P(CompleteConnect, AfterThePeerGaveUpIsAborted) {
    proves("ND2-CON-CMPL-02", "ND2-CON-ACC-09");
    for (int attempt = 1;; ++attempt) {
        Handshake handshake(driver());
        handshake.replied();
        ASSERT_EQ(handshake.active.receive(1), Outcome::success);
        handshake.passive.connector.reset();
        let_news_arrive();
        const Outcome completed = handshake.active.connector->complete_connect().wait();
        if (completed == Outcome::success && attempt < attempts()) continue;  // the news was lost, and sent again
        EXPECT_EQ(completed, Outcome::connection_aborted);
        EXPECT_TRUE(reports_exactly(*handshake.active.received, {1}, Outcome::canceled));
        return;
    }
}

class Accept : public ConformanceTest {};

TEST_P(Accept, OfACanceledConnectIsAborted) {
    proves("ND2-CON-ACC-03", "ND2-CON-ACC-04", "ND2-LIS-REQ-06", "ND2-CON-ACC-10");
    if (const char* const why = support::lacks(support::Ability::notices_withdrawal)) GTEST_SKIP() << why;
    Handshake handshake(driver());
    handshake.requested();
    handshake.active.connector->cancel();
    const Operation accept = handshake.passive.connector->accept(*handshake.passive.queue_pair, {}, {});
    ASSERT_EQ(accept.begun(), Outcome::pending) << "an abandoned request is never reported inline";
    EXPECT_EQ(accept.wait(), Outcome::connection_aborted);
}

TEST_P(Accept, OfAConnectorReleasedWhileConnectingIsAborted) {
    proves("ND2-CON-ACC-03");
    if (const char* const why = support::lacks(support::Ability::notices_withdrawal)) GTEST_SKIP() << why;
    Handshake handshake(driver());
    handshake.requested();
    handshake.active.connector.reset();
    const Outcome outcome = handshake.passive.connector->accept(*handshake.passive.queue_pair, {}, {}).wait();
    // rdma_cm refuses a reply that comes before it has destroyed the connector.
    const bool may_be_refused = support::lacks(support::Ability::tells_ends_apart) != nullptr;
    EXPECT_TRUE(outcome == Outcome::connection_aborted || (may_be_refused && outcome == Outcome::connection_refused))
        << outcome;
}

TEST_P(Accept, IsRefusedIfTheActiveSideRejects) {
    proves("ND2-CON-ACC-03", "ND2-CON-REJ-01", "ND2-CON-ACC-07", "ND2-CLI-06", "ND2-AMB-23");
    if (const char* const why = support::lacks(support::Ability::complete_connect)) GTEST_SKIP() << why;
    Handshake handshake(driver());
    handshake.replied();
    ASSERT_EQ(handshake.passive.receive(1), Outcome::success);
    ASSERT_EQ(handshake.active.connector->reject({}), Outcome::success);
    EXPECT_EQ(handshake.accept->wait(), Outcome::connection_refused);
    EXPECT_TRUE(reports_exactly(*handshake.passive.received, {1}, Outcome::canceled)) << "receives flush";
    EXPECT_EQ(handshake.passive.queue_pair->flush(), Outcome::success);
}

TEST_P(Accept, IsRefusedIfTheActiveSideReleasesItsConnector) {
    proves("ND2-CON-ACC-03", "ND2-CON-REL-01", "ND2-CLI-07");
    if (const char* const why = support::lacks(support::Ability::complete_connect)) GTEST_SKIP() << why;
    Handshake handshake(driver());
    handshake.replied();
    handshake.active.connector.reset();
    EXPECT_EQ(handshake.accept->wait(), Outcome::connection_refused);
}

TEST_P(Accept, IsRefusedIfTheActiveSideReleasesItsQueuePair) {
    proves("ND2-CON-ACC-03");
    if (const char* const why = support::lacks(support::Ability::complete_connect)) GTEST_SKIP() << why;
    Handshake handshake(driver());
    handshake.replied();
    handshake.active.queue_pair.reset();
    EXPECT_EQ(handshake.accept->wait(), Outcome::connection_refused);
}

TEST_P(Accept, SucceedsIfTheActiveSideCompletesAndDisconnectsAtOnce) {
    proves("ND2-CON-ACC-03");
    Handshake handshake(driver());
    handshake.replied();
    ASSERT_EQ(handshake.active.connector->complete_connect().wait(), Outcome::success);
    ASSERT_EQ(handshake.active.connector->disconnect().wait(), Outcome::success);
    EXPECT_EQ(handshake.accept->wait(), Outcome::success);
    EXPECT_EQ(handshake.passive.connector->notify_disconnect().wait(), Outcome::success);
}

TEST_P(Accept, CanceledFlushesItsQueuePairAndFailsThePeer) {
    proves("ND2-OVL-14", "ND2-CON-ACC-07", "ND2-CON-CMPL-02");
    if (const char* const why = support::lacks(support::Ability::complete_connect)) GTEST_SKIP() << why;
    for (int attempt = 1;; ++attempt) {
        Handshake handshake(driver());
        ASSERT_EQ(handshake.passive.receive(1), Outcome::success);
        handshake.replied();
        handshake.passive.connector->cancel();
        EXPECT_EQ(handshake.accept->now(), Outcome::canceled);
        EXPECT_TRUE(reports_exactly(*handshake.passive.received, {1}, Outcome::canceled));
        let_news_arrive();
        const Outcome completed = handshake.active.connector->complete_connect().wait();
        if (completed == Outcome::success && attempt < attempts()) continue;  // the news was lost, and sent again
        EXPECT_EQ(completed, Outcome::connection_aborted);
        return;
    }
}

TEST_P(Accept, EndsWhenItsQueuePairIsReleased) {
    if (const char* const why = support::lacks(support::Ability::complete_connect)) GTEST_SKIP() << why;
    proves("ND2-CON-ACC-09");
    Handshake handshake(driver());
    handshake.replied();
    handshake.passive.queue_pair.reset();
    EXPECT_EQ(handshake.accept->wait(), Outcome::canceled);
}

class Reject : public ConformanceTest {};

TEST_P(Reject, RefusesTheConnectAndDeliversItsData) {
    proves("ND2-CON-REJ-01", "ND2-CON-REJ-02", "ND2-CON-PD-04", "ND2-CLI-84");
    Handshake handshake(driver());
    handshake.requested();
    PrivateData data(handshake.passive.adapter->limits().max_callee_data_bytes);
    fill_pattern(data, 7);
    ASSERT_EQ(handshake.passive.connector->reject(data), Outcome::success);
    EXPECT_EQ(handshake.connect->wait(), Outcome::connection_refused);
    PrivateData seen;
    ASSERT_EQ(handshake.active.connector->private_data(seen), Outcome::success);
    EXPECT_TRUE(carries(seen, data));
}

TEST_P(Reject, IsNotLostWhenTheConnectorIsReleasedAtOnce) {
    proves("ND2-CON-REJ-03", "ND2-CLI-37");
    for (int round = 0; round < 20; ++round) {
        Handshake handshake(driver());
        handshake.requested();
        const PrivateData data(5, std::byte{0x42});
        ASSERT_EQ(handshake.passive.connector->reject(data), Outcome::success);
        handshake.passive.connector.reset();
        ASSERT_EQ(handshake.connect->wait(), Outcome::connection_refused);
        PrivateData seen;
        ASSERT_EQ(handshake.active.connector->private_data(seen), Outcome::success);
        ASSERT_TRUE(carries(seen, data));
    }
}

TEST_P(Reject, WithTooMuchDataChangesNothing) {
    proves("ND2-CON-REJ-01");
    Handshake handshake(driver());
    handshake.requested();
    const PrivateData data(handshake.passive.adapter->limits().max_callee_data_bytes + 1);
    EXPECT_EQ(handshake.passive.connector->reject(data), Outcome::invalid_buffer_size);
    EXPECT_EQ(handshake.connect->now(), Outcome::pending);
    EXPECT_EQ(handshake.passive.connector->accept(*handshake.passive.queue_pair, {}, {}).begun(), Outcome::pending);
}

TEST_P(Reject, OfAnAbandonedRequestFailsWithoutHarm) {
    proves("ND2-CON-REJ-04", "ND2-LIS-REQ-06", "ND2-CLI-63");
    if (const char* const why = support::lacks(support::Ability::notices_withdrawal)) GTEST_SKIP() << why;
    Handshake handshake(driver());
    handshake.requested();
    handshake.active.connector->cancel();
    PrivateData data;
    const bool known =
        wait_until([&] { return handshake.passive.connector->private_data(data) == Outcome::connection_aborted; });
    ASSERT_TRUE(known) << "the passive side never learned that the request was abandoned";
    EXPECT_EQ(handshake.passive.connector->reject({}), Outcome::connection_aborted);
}

INSTANTIATE_TEST_SUITE_P(, Connect, testing::ValuesIn(every_variant()), variant_name);
INSTANTIATE_TEST_SUITE_P(, CompleteConnect, testing::ValuesIn(every_variant()), variant_name);
INSTANTIATE_TEST_SUITE_P(, Accept, testing::ValuesIn(every_variant()), variant_name);
INSTANTIATE_TEST_SUITE_P(, Reject, testing::ValuesIn(every_variant()), variant_name);

}  // namespace
}  // namespace opennd::conformance

// SPDX-License-Identifier: MIT
//
// Listeners: addresses, backlog, the order of requests. Requirements ND2-LIS-*, ND2-CON-PORT-*, ND2-CON-BIND-03.
#include <arpa/inet.h>

#include <optional>

#include "conformance/vocabulary/carried_data.h"
#include "conformance/vocabulary/fixture.h"
#include "support/tested_device.h"

namespace opennd::conformance {
namespace {

class Listeners : public ConformanceTest {
protected:
    // An endpoint that has begun a Connect to the address, with one byte of private data.
    struct Caller {
        Caller(Driver& driver, const SocketAddress& address, std::byte name)
            : end(driver, EndpointOptions{.memory_bytes = 64}) {
            EXPECT_EQ(end.connector->bind(local_address()), Outcome::success);
            connect.emplace(end.connector->connect(*end.queue_pair, address, {}, PrivateData(1, name)));
            EXPECT_EQ(connect->begun(), Outcome::pending);
        }
        Endpoint end;
        std::optional<Operation> connect;
    };

    static PrivateData data_of(Connector& connector) {
        PrivateData data;
        EXPECT_EQ(connector.private_data(data), Outcome::success);
        return data;
    }

    std::unique_ptr<Adapter> adapter_ = driver().open_adapter();
};

TEST_P(Listeners, BoundToPortZeroKnowTheirPortBeforeListening) {
    proves("ND2-CON-PORT-02", "ND2-LIS-ADDR-01", "ND2-AMB-19", "ND2-CLI-61");
    auto listener = adapter_->create_listener();
    SocketAddress address{};
    EXPECT_EQ(listener->local_address(address), Outcome::invalid_state) << "before Bind";
    ASSERT_EQ(listener->bind(local_address()), Outcome::success);
    ASSERT_EQ(listener->local_address(address), Outcome::success);
    EXPECT_EQ(address.ipv4.sin_family, local_address().ipv4.sin_family);
    EXPECT_TRUE(address.same_host(local_address()));
    EXPECT_GE(ntohs(address.ipv4.sin_port), 49152);
}

TEST_P(Listeners, BoundToTheUnspecifiedAddressReportTheAdapters) {
    proves("ND2-LIS-ADDR-01", "ND2-CON-BIND-01");
    auto listener = adapter_->create_listener();
    SocketAddress address = local_address();
    address.set_host("0.0.0.0", "::");
    ASSERT_EQ(listener->bind(address), Outcome::success);
    ASSERT_EQ(listener->local_address(address), Outcome::success);
    EXPECT_TRUE(address.same_host(local_address()));
}

TEST_P(Listeners, OfAnotherHostsAddressAreRefused) {
    provokes("CHECK-PEER-ADDRESS");
    proves("ND2-LIS-BIND-01", "ND2-CON-BIND-01");
    SocketAddress elsewhere = local_address(50000);
    elsewhere.set_host("192.0.2.1", "2001:db8::1");  // 192.0.2.1, for documentation only
    EXPECT_EQ(adapter_->create_listener()->bind(elsewhere), Outcome::invalid_address);
    EXPECT_EQ(adapter_->create_connector()->bind(elsewhere), Outcome::invalid_address);
}

TEST_P(Listeners, ShareNoAddress) {
    proves("ND2-LIS-BIND-01");
    auto first = listening(*adapter_);
    auto second = adapter_->create_listener();
    EXPECT_EQ(second->bind(address_of(*first)), Outcome::sharing_violation);
    auto other_open = driver().open_adapter();
    auto third = other_open->create_listener();
    EXPECT_EQ(third->bind(address_of(*first)), Outcome::sharing_violation) << "from another open as well";
}

TEST_P(Listeners, ShareNoPortBetweenUnspecifiedAndSpecific) {
    proves("ND2-LIS-BIND-01");
    auto first = listening(*adapter_);
    SocketAddress any = address_of(*first);
    any.set_host("0.0.0.0", "::");
    EXPECT_EQ(adapter_->create_listener()->bind(any), Outcome::sharing_violation);
}

TEST_P(Listeners, ShareTheirAddressWithConnectors) {
    proves("ND2-CON-BIND-03", "ND2-LIS-BIND-02", "ND2-AMB-20", "ND2-CLI-37");
    auto listener = listening(*adapter_);
    auto first = adapter_->create_connector();
    auto second = adapter_->create_connector();
    EXPECT_EQ(first->bind(address_of(*listener)), Outcome::success);
    EXPECT_EQ(second->bind(address_of(*listener)), Outcome::success);
}

TEST_P(Listeners, FreeTheirAddressOnRelease) {
    proves("ND2-LIS-BIND-03");
    const SocketAddress address = address_of(*listening(*adapter_));
    for (int round = 0; round < 100; ++round) {
        auto listener = adapter_->create_listener();
        ASSERT_EQ(listener->bind(address), Outcome::success) << round;
        ASSERT_EQ(listener->listen(0), Outcome::success) << round;
    }
}

TEST_P(Listeners, BindAndListenOnce) {
    proves("ND2-LIS-LIST-01", "ND2-LIS-BIND-01", "ND2-AMB-21", "ND2-CLI-10");
    auto listener = adapter_->create_listener();
    auto connector = adapter_->create_connector();
    EXPECT_EQ(listener->listen(0), Outcome::address_not_associated);
    EXPECT_EQ(listener->get_request(*connector).begun(), Outcome::invalid_state);
    ASSERT_EQ(listener->bind(local_address()), Outcome::success);
    EXPECT_EQ(listener->bind(local_address()), Outcome::address_already_associated);
    EXPECT_EQ(listener->get_request(*connector).begun(), Outcome::invalid_state);
    ASSERT_EQ(listener->listen(0), Outcome::success);
    EXPECT_EQ(listener->bind(local_address()), Outcome::address_already_associated);
    EXPECT_EQ(listener->listen(0), Outcome::invalid_state);
}

TEST_P(Listeners, GiveEachRequestToOneConnectorInTheOrderAsked) {
    proves("ND2-LIS-REQ-03");
    auto listener = listening(*adapter_);
    auto first = adapter_->create_connector();
    auto second = adapter_->create_connector();
    const Operation to_first = listener->get_request(*first);
    const Operation to_second = listener->get_request(*second);
    Caller one(driver(), address_of(*listener), std::byte{1});
    ASSERT_EQ(to_first.wait(), Outcome::success);
    EXPECT_EQ(to_second.now(), Outcome::pending);
    Caller two(driver(), address_of(*listener), std::byte{2});
    ASSERT_EQ(to_second.wait(), Outcome::success);
    EXPECT_TRUE(carries(data_of(*first), PrivateData(1, std::byte{1})));
    EXPECT_TRUE(carries(data_of(*second), PrivateData(1, std::byte{2})));
}

TEST_P(Listeners, KeepRequestsUntilAsked) {
    proves("ND2-LIS-LIST-02", "ND2-CON-CONN-07");
    auto listener = listening(*adapter_);
    Caller caller(driver(), address_of(*listener), std::byte{9});
    auto connector = adapter_->create_connector();
    EXPECT_EQ(listener->get_request(*connector).wait(), Outcome::success);
    EXPECT_TRUE(carries(data_of(*connector), PrivateData(1, std::byte{9})));
    EXPECT_EQ(caller.connect->now(), Outcome::pending);
}

TEST_P(Listeners, RefuseBeyondTheirBacklog) {
    proves("ND2-LIS-LIST-02", "ND2-CON-CONN-05");
    auto listener = listening(*adapter_, 1);
    Caller one(driver(), address_of(*listener), std::byte{1});
    Caller two(driver(), address_of(*listener), std::byte{2});
    ASSERT_TRUE(
        wait_until([&] { return one.connect->now() != Outcome::pending || two.connect->now() != Outcome::pending; }));
    const bool one_was_refused = one.connect->now() != Outcome::pending;
    const Operation& refused = one_was_refused ? *one.connect : *two.connect;
    const Operation& waiting = one_was_refused ? *two.connect : *one.connect;
    EXPECT_EQ(refused.now(), Outcome::connection_refused);
    auto connector = adapter_->create_connector();
    ASSERT_EQ(listener->get_request(*connector).wait(), Outcome::success);
    EXPECT_TRUE(carries(data_of(*connector), PrivateData(1, one_was_refused ? std::byte{2} : std::byte{1})));
    EXPECT_EQ(waiting.now(), Outcome::pending);
}

TEST_P(Listeners, WithBacklogZeroSetNoLimit) {
    if (const char* const why = support::lacks(support::Ability::many_queues)) GTEST_SKIP() << why;
    proves("ND2-LIS-LIST-01");
    auto listener = listening(*adapter_, 0);
    std::vector<std::unique_ptr<Caller>> callers;
    for (int i = 0; i < 40; ++i)
        callers.push_back(std::make_unique<Caller>(driver(), address_of(*listener), std::byte{1}));
    std::vector<std::unique_ptr<Connector>> connectors;
    for (int i = 0; i < 40; ++i) {
        connectors.push_back(adapter_->create_connector());
        ASSERT_EQ(listener->get_request(*connectors.back()).wait(), Outcome::success) << i;
    }
}

TEST_P(Listeners, CanceledGiveTheConnectorBack) {
    proves("ND2-LIS-REQ-05", "ND2-OVL-14");
    auto listener = listening(*adapter_);
    auto connector = adapter_->create_connector();
    const Operation canceled = listener->get_request(*connector);
    listener->cancel();
    EXPECT_EQ(canceled.now(), Outcome::canceled);
    const Operation again = listener->get_request(*connector);
    Caller caller(driver(), address_of(*listener), std::byte{1});
    EXPECT_EQ(again.wait(), Outcome::success);
}

TEST_P(Listeners, DropARequestAbandonedInTheBacklog) {
    proves("ND2-LIS-REQ-06");
    auto listener = listening(*adapter_);
    {
        Caller abandoned(driver(), address_of(*listener), std::byte{1});
        abandoned.end.connector->cancel();
        ASSERT_EQ(abandoned.connect->now(), Outcome::canceled);
    }
    Caller caller(driver(), address_of(*listener), std::byte{2});
    auto connector = adapter_->create_connector();
    ASSERT_EQ(listener->get_request(*connector).wait(), Outcome::success);
    PrivateData data;
    const Outcome outcome = connector->private_data(data);
    // Assigned before the listener could know: the caller's last word was still on its way.
    if (outcome == Outcome::connection_aborted || carries(data, PrivateData(1, std::byte{1}))) {
        auto second = adapter_->create_connector();
        ASSERT_EQ(listener->get_request(*second).wait(), Outcome::success);
        EXPECT_TRUE(carries(data_of(*second), PrivateData(1, std::byte{2})));
    } else {
        EXPECT_TRUE(carries(data, PrivateData(1, std::byte{2})));
    }
}

TEST_P(Listeners, ReleasedEndTheirRequestsAndRefuseTheirBacklog) {
    proves("ND2-LIS-REL-01", "ND2-CLI-08");
    auto listener = listening(*adapter_);
    const SocketAddress address = address_of(*listener);
    Caller waiting(driver(), address, std::byte{1});
    listener.reset();
    EXPECT_EQ(waiting.connect->wait(), Outcome::connection_refused);
    Caller late(driver(), address, std::byte{2});
    EXPECT_EQ(late.connect->wait(), Outcome::connection_refused);
}

TEST_P(Listeners, ReleasedCancelTheirRequests) {
    proves("ND2-LIS-REL-01", "ND2-OVL-13");
    auto listener = listening(*adapter_);
    auto connector = adapter_->create_connector();
    const Operation request = listener->get_request(*connector);
    listener.reset();
    EXPECT_EQ(request.now(), Outcome::canceled);
}

TEST_P(Listeners, ReleasedLeaveAssignedConnectorsAlone) {
    proves("ND2-LIS-REL-01");
    Handshake handshake(driver());
    handshake.requested();
    handshake.listener.reset();
    const Operation accept = handshake.passive.connector->accept(*handshake.passive.queue_pair, {}, {});
    ASSERT_EQ(handshake.connect->wait(), Outcome::success);
    EXPECT_EQ(handshake.active.connector->complete_connect().wait(), Outcome::success);
    EXPECT_EQ(accept.wait(), Outcome::success);
}

TEST_P(Listeners, CancelTheRequestOfAConnectorThatIsReleased) {
    proves("ND2-CON-REL-01");
    auto listener = listening(*adapter_);
    auto connector = adapter_->create_connector();
    const Operation request = listener->get_request(*connector);
    connector.reset();
    EXPECT_EQ(request.wait(), Outcome::canceled);
}

INSTANTIATE_TEST_SUITE_P(, Listeners, testing::ValuesIn(every_variant()), variant_name);

}  // namespace
}  // namespace opennd::conformance

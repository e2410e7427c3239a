// SPDX-License-Identifier: MIT
#include "core/connection/listener.h"

#include "core/connection/connector.h"
#include "support/requirement.h"
#include "unit/core/fake_adapter_fixture.h"

namespace opennd {
namespace {

using support::proves;

class ListenerTest : public FakeAdapterTest {
protected:
    ~ListenerTest() override {
        listener_->close();
        for (const Ref<Connector>& connector : connectors_) connector->close();
    }

    void listen(std::uint32_t backlog) {
        ASSERT_EQ(listener_->bind(ipv4("127.0.0.1", 7471)), Status::success);
        sink_ = transport_->listener->sink;
        ASSERT_EQ(listener_->listen(backlog), Status::success);
    }
    Ref<Connector> make_connector() { return connectors_.emplace_back(make_ref<Connector>(adapter_)); }
    Ref<fake::FakeConnector> knock(std::uint16_t port = 50001) {
        const Ref<fake::FakeConnector> wire = make_ref<fake::FakeConnector>();
        sink_->on_request(Ref<TransportConnector>(wire), {ipv4("127.0.0.1", 7471), ipv4("127.0.0.1", port), {}, {}});
        return wire;
    }

    Ref<Listener> listener_ = make_ref<Listener>(adapter_);
    Ref<ListenerSink> sink_;
    std::vector<Ref<Connector>> connectors_;
    RequestRecord first_, second_;
};

TEST_F(ListenerTest, AssignsFirstComeFirstServed) {
    proves("ND2-LIS-REQ-01", "ND2-LIS-REQ-03");
    listen(0);
    knock(1001);
    const Ref<Connector> a = make_connector();
    const Ref<Connector> b = make_connector();
    ASSERT_EQ(listener_->get_connection_request(a, recording(first_)), Status::success);
    EXPECT_EQ(first_.outcome(), Status::success);
    ASSERT_EQ(listener_->get_connection_request(b, recording(second_)), Status::success);
    EXPECT_TRUE(second_.pending());
    knock(1002);
    EXPECT_EQ(second_.outcome(), Status::success);
    EXPECT_EQ(a->peer_address().value().port(), 1001);
    EXPECT_EQ(b->peer_address().value().port(), 1002);
}

TEST_F(ListenerTest, RefusesBeyondTheBacklog) {
    proves("ND2-LIS-LIST-02");
    listen(1);
    EXPECT_TRUE(knock()->calls.empty());
    EXPECT_EQ(knock()->calls, std::vector<std::string>{"give_up"});
}

TEST_F(ListenerTest, DropsRequestsTheirSendersAbandoned) {
    proves("ND2-LIS-REQ-06");
    listen(1);
    knock(1001)->gone = true;
    EXPECT_TRUE(knock(1002)->calls.empty());
    const Ref<Connector> connector = make_connector();
    ASSERT_EQ(listener_->get_connection_request(connector, recording(first_)), Status::success);
    EXPECT_EQ(connector->peer_address().value().port(), 1002);
}

TEST_F(ListenerTest, CancelMakesTheConnectorIdleAgain) {
    proves("ND2-LIS-REQ-05", "ND2-OVL-14");
    listen(0);
    const Ref<Connector> connector = make_connector();
    ASSERT_EQ(listener_->get_connection_request(connector, recording(first_)), Status::success);
    EXPECT_EQ(listener_->get_connection_request(connector, recording(second_)), Status::connection_active);
    EXPECT_TRUE(second_.untouched());
    listener_->cancel();
    EXPECT_EQ(first_.outcome(), Status::canceled);
    EXPECT_EQ(listener_->get_connection_request(connector, recording(second_)), Status::success);
}

TEST_F(ListenerTest, ReleasingAWaitingConnectorCancelsItsRequest) {
    proves("ND2-CON-REL-01");
    listen(0);
    const Ref<Connector> connector = make_ref<Connector>(adapter_);
    ASSERT_EQ(listener_->get_connection_request(connector, recording(first_)), Status::success);
    connector->close();
    EXPECT_EQ(first_.outcome(), Status::canceled);
    EXPECT_TRUE(knock()->calls.empty()) << "a request for the next connector";
}

TEST_F(ListenerTest, GivesTheRequestOfAConnectorThatIsGoneToTheNext) {
    proves("ND2-CON-REL-01", "ND2-LIS-REQ-03");
    listen(0);
    const Ref<Connector> a = make_connector();
    const Ref<Connector> b = make_connector();
    ASSERT_EQ(listener_->get_connection_request(a, recording(first_)), Status::success);
    ASSERT_EQ(listener_->get_connection_request(b, recording(second_)), Status::success);
    a->stop_waiting();  // as its release does, which the listener has not heard of
    knock(1001);
    EXPECT_EQ(first_.outcome(), Status::canceled);
    EXPECT_EQ(second_.outcome(), Status::success);
    EXPECT_EQ(b->peer_address().value().port(), 1001);
}

TEST_F(ListenerTest, WaitsOnIfTheRequestThatWaitedWasAbandoned) {
    proves("ND2-LIS-REQ-06");
    listen(0);
    knock(1001)->gone = true;
    const Ref<Connector> connector = make_connector();
    ASSERT_EQ(listener_->get_connection_request(connector, recording(first_)), Status::success);
    EXPECT_TRUE(first_.pending());
    knock(1002);
    EXPECT_EQ(first_.outcome(), Status::success);
    EXPECT_EQ(connector->peer_address().value().port(), 1002);
}

TEST_F(ListenerTest, ReleaseRefusesWhoWaits) {
    proves("ND2-LIS-REL-01");
    listen(0);
    const Ref<fake::FakeConnector> waiting = knock();
    listener_->close();
    EXPECT_EQ(waiting->calls, std::vector<std::string>{"give_up"});
    EXPECT_EQ(knock()->calls, std::vector<std::string>{"give_up"});
    EXPECT_EQ(transport_->listener->sink, nullptr);
}

TEST_F(ListenerTest, ReportsItsAddressFromBindOn) {
    proves("ND2-LIS-ADDR-01", "ND2-LIS-BIND-01");
    EXPECT_EQ(listener_->local_address().status(), Status::invalid_state);
    EXPECT_EQ(listener_->listen(1), Status::address_not_bound);
    ASSERT_EQ(listener_->bind(ipv4("0.0.0.0", 0)), Status::success);
    EXPECT_EQ(listener_->local_address().value(), ipv4("127.0.0.1", 50000));
    EXPECT_EQ(listener_->bind(ipv4("0.0.0.0", 0)), Status::address_bound);
}

}  // namespace
}  // namespace opennd

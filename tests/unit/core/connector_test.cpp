// SPDX-License-Identifier: MIT
// A connector against a transport that the test plays. Fixtures bring it to a state; bodies read as traces of calls
// down and events up.
#include "core/connection/connector.h"

#include <array>

#include "core/connection/listener.h"
#include "support/requirement.h"
#include "unit/core/fake_adapter_fixture.h"

namespace opennd {
namespace {

using support::proves;
using Calls = std::vector<std::string>;

class ConnectorTest : public FakeAdapterTest {
protected:
    ~ConnectorTest() override {
        connector_->close();
        listener_->close();
    }

    Address remote() const { return ipv4("127.0.0.1", 7471); }
    fake::FakeConnector& wire() { return *wire_; }

    void bind() { ASSERT_EQ(connector_->bind(ipv4("0.0.0.0", 0)), Status::success); }
    Status connect(RequestRecord& record) {
        const Status status = connector_->connect(queue_pair_, remote(), {100, 3}, {}, recording(record));
        wire_ = transport_->connector;
        return status;
    }
    void bring_to_connecting() {
        bind();
        ASSERT_EQ(connect(connect_), Status::success);
    }
    void bring_to_replied() {
        bring_to_connecting();
        wire().sink->on_replied({2, 3}, {});
        ASSERT_EQ(connect_.outcome(), Status::success);
    }
    void bring_to_completing() {
        bring_to_replied();
        ASSERT_EQ(connector_->complete_connect(recording(establish_)), Status::success);
    }
    void bring_to_connected() {
        bring_to_completing();
        wire().sink->on_established({});
        ASSERT_EQ(establish_.outcome(), Status::success);
    }
    void bring_to_requested() {
        ASSERT_EQ(listener_->bind(ipv4("127.0.0.1", 7471)), Status::success);
        ASSERT_EQ(listener_->listen(0), Status::success);
        ASSERT_EQ(listener_->get_connection_request(connector_, recording(request_)), Status::success);
        wire_ = make_ref<fake::FakeConnector>();
        ConnectionRequest request{remote(), ipv4("127.0.0.1", 50001), {4, 5}, {std::byte{7}}};
        transport_->listener->sink->on_request(Ref<TransportConnector>(wire_), std::move(request));
        ASSERT_EQ(request_.outcome(), Status::success);
    }
    void bring_to_accepting() {
        bring_to_requested();
        ASSERT_EQ(connector_->accept(queue_pair_, {100, 2}, {}, recording(establish_)), Status::success);
    }

    Ref<QueuePair> queue_pair_ = make_queue_pair();
    Ref<fake::FakeQueuePair> queue_pair_wire_ = transport_->queue_pair;
    Ref<Connector> connector_ = make_ref<Connector>(adapter_);
    Ref<Listener> listener_ = make_ref<Listener>(adapter_);
    Ref<fake::FakeConnector> wire_;
    RequestRecord connect_, second_, establish_, request_, notify_, disconnect_;
};

TEST_F(ConnectorTest, DrawsAPortWhenBoundWithoutOne) {
    proves("ND2-CON-PORT-02", "ND2-CON-BIND-01");
    bind();
    const Address local = connector_->local_address().value();
    EXPECT_TRUE(local.same_host(ipv4("127.0.0.1", 0)));
    EXPECT_GE(local.port(), 49152);
    EXPECT_EQ(connector_->bind(ipv4("127.0.0.1", 1)), Status::address_bound);
    EXPECT_EQ(connector_->local_address().value(), local);
    EXPECT_EQ(make_ref<Connector>(adapter_)->bind(ipv4("192.0.2.1", 1)), Status::invalid_address);
}

TEST_F(ConnectorTest, ChecksTheDestination) {
    proves("ND2-CON-CONN-01");
    EXPECT_EQ(connector_->check_destination(ipv4("127.0.0.1", 0)), Status::invalid_address);
    EXPECT_EQ(connector_->check_destination(ipv4("224.0.0.1", 1)), Status::invalid_address);
    EXPECT_EQ(connector_->check_destination(ipv4("0.0.0.0", 1)), Status::success);
    bind();
    EXPECT_EQ(connector_->check_destination(Address::parse("::1")->with_port(1)), Status::invalid_address);
    EXPECT_EQ(connector_->check_destination(remote()), Status::success);
}

TEST_F(ConnectorTest, MayTryAgainWhateverKeptThePeerAway) {
    proves("ND2-CON-CONN-05");
    bind();
    for (const Status status : {Status::connection_refused, Status::timed_out, Status::network_unreachable,
                                Status::host_unreachable, Status::address_exists, Status::address_unspecified}) {
        RequestRecord record;
        ASSERT_EQ(connect(record), Status::success);
        wire().sink->on_connect_failed(status, {});
        EXPECT_EQ(record.outcome(), status);
        EXPECT_EQ(connector_->view().state, ConnectorState::bound);
    }
}

TEST_F(ConnectorTest, ASecondTryThatIsCancelledForgetsTheDataOfTheFirst) {
    proves("ND2-CON-PD-04", "ND1-CN-CONN-14");
    const Address local = ipv4("127.0.0.1", 0);
    const std::array<std::byte, 1> data{std::byte{7}};
    ASSERT_EQ(connector_->connect_from(local, queue_pair_, remote(), {}, {}, recording(connect_)), Status::success);
    transport_->connector->sink->on_connect_failed(Status::connection_refused, data);
    EXPECT_TRUE(connector_->view().history.refused_with_data);
    ASSERT_EQ(connector_->connect_from(local, queue_pair_, remote(), {}, {}, recording(second_)), Status::success);
    connector_->cancel();
    EXPECT_EQ(connector_->view().state, ConnectorState::idle);
    EXPECT_FALSE(connector_->view().history.refused_with_data);
}

TEST_F(ConnectorTest, AConnectThatIsRefusedAtTheCallLeavesItIdle) {
    proves("ND1-CN-CONN-14");
    queue_pair_->close();
    const Address local = ipv4("127.0.0.1", 0);
    EXPECT_EQ(connector_->connect_from(local, queue_pair_, remote(), {}, {}, recording(connect_)),
              Status::invalid_state);
    EXPECT_EQ(connector_->view().state, ConnectorState::idle);
}

TEST_F(ConnectorTest, IsConnectedFirstIfTheEndOvertakesThat) {
    proves("ND2-CON-NTF-03", "NDK-CON-EVT-02");
    bring_to_completing();
    ASSERT_EQ(connector_->notify_disconnect(recording(notify_)), Status::success);
    wire().sink->on_disconnected(EndCause::disconnect);
    EXPECT_EQ(establish_.outcome(), Status::success);
    EXPECT_EQ(notify_.outcome(), Status::success);
    wire().sink->on_established({});
    EXPECT_EQ(connector_->view().state, ConnectorState::peer_gone);
}

TEST_F(ConnectorTest, OffersNoMoreThanTheAdapterCan) {
    proves("ND2-CON-LIM-01", "ND2-CON-LIM-04");
    bring_to_connecting();
    EXPECT_EQ(wire().offer.inbound, 8u);
    EXPECT_EQ(wire().offer.outbound, 3u);
    wire().sink->on_replied({2, 3}, {});
    EXPECT_EQ(connector_->read_limits().value().inbound, 2u);
}

TEST_F(ConnectorTest, ConnectToTheUnspecifiedAddressFailsLater) {
    proves("ND2-CON-CONN-05");
    bind();
    ASSERT_EQ(connector_->connect(queue_pair_, ipv4("0.0.0.0", 7471), {}, {}, recording(connect_)), Status::success);
    EXPECT_EQ(connect_.outcome(), Status::address_unspecified);
    EXPECT_EQ(connect(second_), Status::success);
}

TEST_F(ConnectorTest, MayTryAgainAfterARefusal) {
    proves("ND2-CON-CONN-05", "ND2-CON-CONN-06", "ND2-CON-PD-04");
    bring_to_connecting();
    const std::byte why{42};
    wire().sink->on_connect_failed(Status::connection_refused, {&why, 1});
    EXPECT_EQ(connect_.outcome(), Status::connection_refused);
    EXPECT_EQ(connector_->private_data().value().octets, std::vector{why});
    const Ref<fake::FakeConnector> first(&wire());
    EXPECT_EQ(connect(second_), Status::success);
    EXPECT_NE(&wire(), first.get()) << "each attempt has an end of its own";
    EXPECT_EQ(wire().calls, Calls{"connect"});
    EXPECT_EQ(connector_->private_data().status(), Status::not_connected);
}

TEST_F(ConnectorTest, IsUsedUpWhenTheTransportBreaks) {
    proves("ND2-CON-CONN-05");
    bring_to_connecting();
    wire().sink->on_connect_failed(Status::connection_aborted, {});
    EXPECT_EQ(connect(second_), Status::invalid_state);
    EXPECT_TRUE(second_.untouched());
}

TEST_F(ConnectorTest, CancellingConnectFreesTheQueuePair) {
    proves("ND2-OVL-14");
    bring_to_connecting();
    connector_->cancel();
    EXPECT_EQ(connect_.outcome(), Status::canceled);
    EXPECT_EQ(wire().calls, (Calls{"connect", "cancel"}));
    EXPECT_EQ(queue_pair_->claim(*connector_), Status::success);
    queue_pair_->release(*connector_, QueuePair::Outcome::reusable);
}

TEST_F(ConnectorTest, CancellingAcceptUsesTheQueuePairUp) {
    proves("ND2-OVL-14");
    bring_to_accepting();
    connector_->cancel();
    EXPECT_EQ(establish_.outcome(), Status::canceled);
    EXPECT_EQ(wire().calls, (Calls{"accept", "give_up"}));
    EXPECT_EQ(queue_pair_->claim(*connector_), Status::invalid_state);
}

TEST_F(ConnectorTest, CancellingNotifyDisconnectEndsOnlyTheRequest) {
    proves("ND2-OVL-14");
    bring_to_connected();
    ASSERT_EQ(connector_->notify_disconnect(recording(notify_)), Status::success);
    connector_->cancel();
    EXPECT_EQ(notify_.outcome(), Status::canceled);
    EXPECT_EQ(connector_->disconnect(recording(disconnect_)), Status::success);
    EXPECT_EQ(wire().calls, (Calls{"connect", "complete", "disconnect"}));
}

TEST_F(ConnectorTest, LowersTheLimitsOfTheRequest) {
    proves("ND2-CON-LIM-02", "ND2-CON-LIM-03", "ND2-CON-LIM-06");
    bring_to_requested();
    EXPECT_EQ(connector_->read_limits().value().outbound, 5u);
    EXPECT_EQ(connector_->private_data().value().octets, std::vector{std::byte{7}});
    ASSERT_EQ(connector_->accept(queue_pair_, {100, 2}, {}, recording(establish_)), Status::success);
    EXPECT_EQ(wire().offer.inbound, 4u);
    EXPECT_EQ(connector_->read_limits().value().outbound, 2u);
}

TEST_F(ConnectorTest, LearnsOfAnAbandonedRequestThroughAccept) {
    proves("ND2-LIS-REQ-06", "ND2-CON-ACC-04", "ND2-CON-ACC-07", "ND2-CON-REJ-04");
    bring_to_requested();
    wire().sink->on_establish_failed(Status::connection_aborted);
    EXPECT_EQ(connector_->private_data().status(), Status::connection_aborted);
    EXPECT_EQ(connector_->reject({}), Status::connection_aborted);
    EXPECT_EQ(connector_->accept(queue_pair_, {}, {}, recording(establish_)), Status::success);
    EXPECT_EQ(establish_.outcome(), Status::connection_aborted);
    EXPECT_EQ(queue_pair_wire_->ended_with, Status::canceled);
}

TEST_F(ConnectorTest, FailedEstablishmentEndsNotifyDisconnectToo) {
    proves("ND2-CON-NTF-03", "ND2-CON-ACC-03");
    bring_to_accepting();
    ASSERT_EQ(connector_->notify_disconnect(recording(notify_)), Status::success);
    wire().sink->on_establish_failed(Status::connection_refused);
    EXPECT_EQ(establish_.outcome(), Status::connection_refused);
    EXPECT_EQ(notify_.outcome(), Status::connection_refused);
}

TEST_F(ConnectorTest, NotifyDisconnectTellsWhoEndedIt) {
    proves("ND2-CON-NTF-01", "ND2-CON-NTF-02", "ND2-CON-NTF-05", "ND2-CON-DISC-03");
    bring_to_connected();
    ASSERT_EQ(connector_->notify_disconnect(recording(notify_)), Status::success);
    wire().sink->on_disconnected(EndCause::disconnect);
    EXPECT_EQ(notify_.outcome(), Status::success);
    RequestRecord late;
    ASSERT_EQ(connector_->notify_disconnect(recording(late)), Status::success);
    EXPECT_EQ(late.outcome(), Status::success);
    EXPECT_EQ(connector_->disconnect(recording(disconnect_)), Status::success);
    EXPECT_EQ(disconnect_.outcome(), Status::success);
}

TEST_F(ConnectorTest, APeersEndFlushesAtOnceIfNobodyIsTold) {
    proves("ND2-CON-DISC-05");
    bring_to_connected();
    wire().sink->on_disconnected(EndCause::disconnect);
    EXPECT_EQ(queue_pair_wire_->ended_with, Status::canceled);
}

TEST_F(ConnectorTest, ALostConnectionTimesTheOldestRequestOut) {
    proves("ND2-QP-ERR-03");
    bring_to_connected();
    wire().sink->on_disconnected(EndCause::silence);
    EXPECT_EQ(queue_pair_wire_->ended_with, Status::timed_out);
}

TEST_F(ConnectorTest, ALostConnectionTimesTheOldestRequestOutAMomentAfterTheProgramIsTold) {
    proves("ND2-QP-ERR-03", "ND2-CON-NTF-01");
    bring_to_connected();
    ASSERT_EQ(connector_->notify_disconnect(recording(notify_)), Status::success);
    wire().sink->on_disconnected(EndCause::silence);
    EXPECT_EQ(notify_.outcome(), Status::success);
    EXPECT_EQ(queue_pair_wire_->ends_soon_with, Status::timed_out);
}

TEST_F(ConnectorTest, AResetConnectionIsNoLostOne) {
    proves("ND2-QP-ERR-03");
    bring_to_connected();
    wire().sink->on_disconnected(EndCause::reset);
    EXPECT_EQ(queue_pair_wire_->ended_with, Status::canceled);
}

// docs/decisions/0023
TEST_F(ConnectorTest, APeersEndFlushesAMomentAfterTheProgramIsTold) {
    proves("ND2-CON-DISC-05", "ND2-CON-DISC-01");
    bring_to_connected();
    ASSERT_EQ(connector_->notify_disconnect(recording(notify_)), Status::success);
    wire().sink->on_disconnected(EndCause::disconnect);
    EXPECT_EQ(notify_.outcome(), Status::success);
    EXPECT_EQ(queue_pair_wire_->ends_soon_with, Status::canceled);
    EXPECT_FALSE(queue_pair_wire_->ended_with);
    ASSERT_EQ(connector_->disconnect(recording(disconnect_)), Status::success);
    EXPECT_EQ(queue_pair_wire_->ended_with, Status::canceled);
}

TEST_F(ConnectorTest, DisconnectEndsNotifyDisconnectAsDisconnected) {
    proves("ND2-CON-NTF-01", "ND2-CON-DISC-01", "ND2-CON-DISC-06");
    bring_to_connected();
    ASSERT_EQ(connector_->notify_disconnect(recording(notify_)), Status::success);
    EXPECT_EQ(connector_->disconnect(recording(disconnect_)), Status::success);
    EXPECT_EQ(notify_.outcome(), Status::disconnected);
    EXPECT_EQ(disconnect_.outcome(), Status::success);
    EXPECT_EQ(wire().sink, nullptr) << "the cycle between connector and transport stays";
    EXPECT_EQ(queue_pair_->claim(*connector_), Status::invalid_state);
    EXPECT_EQ(connector_->disconnect(recording(second_)), Status::not_connected);
}

TEST_F(ConnectorTest, RejectingTheReplyFreesTheQueuePair) {
    proves("ND2-CON-REJ-01");
    bring_to_replied();
    EXPECT_EQ(connector_->reject({}), Status::success);
    EXPECT_EQ(wire().calls, (Calls{"connect", "reject"}));
    EXPECT_EQ(queue_pair_->claim(*connector_), Status::success);
    queue_pair_->release(*connector_, QueuePair::Outcome::reusable);
}

TEST_F(ConnectorTest, ReleaseOfTheQueuePairCancelsWhatIsPending) {
    proves("ND2-CON-ACC-09", "ND2-CON-CONN-05");
    bring_to_accepting();
    queue_pair_->close();
    EXPECT_EQ(establish_.outcome(), Status::canceled);
    EXPECT_TRUE(queue_pair_wire_->closed);
}

TEST_F(ConnectorTest, ReleaseOfTheQueuePairDisconnects) {
    proves("ND2-QP-REL-01", "ND2-QP-REL-02");
    bring_to_connected();
    ASSERT_EQ(connector_->notify_disconnect(recording(notify_)), Status::success);
    queue_pair_->close();
    EXPECT_EQ(notify_.outcome(), Status::disconnected);
    EXPECT_EQ(wire().calls.back(), "disconnect");
}

TEST_F(ConnectorTest, ReleaseTellsThePeerWhatItWas) {
    proves("ND2-CON-REL-01", "ND2-OVL-13");
    bring_to_connecting();
    const Ref<Connector> released = std::exchange(connector_, make_ref<Connector>(adapter_));
    released->close();
    EXPECT_EQ(connect_.outcome(), Status::canceled);
    EXPECT_EQ(wire().calls.back(), "cancel");
    EXPECT_EQ(wire().sink, nullptr);
}

// A connector of a face with connections that end when both sides want it.
class NoticedConnectorTest : public ConnectorTest {
protected:
    NoticedConnectorTest() {
        connector_->close();
        connector_ = make_ref<Connector>(adapter_, ConnectorRules{.outlives_notice = true});
        bring_to_connected();
    }
    Status end(RequestRecord& record) { return connector_->end_gracefully(std::chrono::seconds(5), recording(record)); }
};

TEST_F(NoticedConnectorTest, ANoticeOfThePeerEndsNothing) {
    proves("NDK-CON-EVT-01", "NDK-CON-EVT-03");
    ASSERT_EQ(connector_->notify_disconnect(recording(notify_)), Status::success);
    EXPECT_TRUE(wire().sink->on_peer_finished());
    EXPECT_EQ(notify_.outcome(), Status::success);
    EXPECT_EQ(connector_->view().state, ConnectorState::connected);
    EXPECT_FALSE(queue_pair_wire_->ended_with);
}

TEST_F(ConnectorTest, ANoticeThatOvertakesTheConnectionIsToldBehindIt) {
    proves("NDK-CON-EVT-02");
    connector_->close();
    connector_ = make_ref<Connector>(adapter_, ConnectorRules{.outlives_notice = true});
    bring_to_completing();
    ASSERT_EQ(connector_->notify_disconnect(recording(notify_)), Status::success);
    EXPECT_TRUE(wire().sink->on_peer_finished());
    EXPECT_TRUE(notify_.pending());
    wire().sink->on_established({});
    EXPECT_EQ(establish_.outcome(), Status::success);
    EXPECT_EQ(notify_.outcome(), Status::success);
}

TEST_F(NoticedConnectorTest, TellsAnEndWithoutNoticeApart) {
    proves("NDK-CON-EVT-04");
    ASSERT_EQ(connector_->notify_disconnect(recording(notify_)), Status::success);
    wire().sink->on_disconnected(EndCause::disconnect);
    EXPECT_EQ(notify_.outcome(), Status::disconnected);
}

TEST_F(NoticedConnectorTest, EndsWhenTheTransportSaysSo) {
    proves("NDK-CON-DISC-02");
    ASSERT_EQ(end(disconnect_), Status::success);
    EXPECT_TRUE(disconnect_.pending());
    EXPECT_EQ(end(second_), Status::invalid_state);
    EXPECT_TRUE(second_.untouched());
    wire().sink->on_finished(Status::success);
    EXPECT_EQ(disconnect_.outcome(), Status::success);
    EXPECT_EQ(queue_pair_wire_->ended_with, Status::canceled);
    EXPECT_EQ(end(second_), Status::not_connected);
}

TEST_F(NoticedConnectorTest, HearsNoNoticeOnceItEndsItself) {
    proves("NDK-CON-EVT-02");
    ASSERT_EQ(connector_->notify_disconnect(recording(notify_)), Status::success);
    ASSERT_EQ(end(disconnect_), Status::success);
    EXPECT_TRUE(wire().sink->on_peer_finished());
    EXPECT_TRUE(notify_.pending());
}

TEST_F(NoticedConnectorTest, AnEndInOrderNeedsNoAnswer) {
    proves("NDK-CON-DISC-04");
    wire().sink->on_disconnected(EndCause::disconnect);
    ASSERT_EQ(end(disconnect_), Status::success);
    EXPECT_EQ(disconnect_.outcome(), Status::success);
}

TEST_F(NoticedConnectorTest, WhatWasLostCannotEndInOrder) {
    proves("NDK-CON-DISC-01");
    wire().sink->on_disconnected(EndCause::failure);
    EXPECT_EQ(end(disconnect_), Status::not_connected);
}

TEST_F(NoticedConnectorTest, ItsReleaseCancelsTheEnd) {
    proves("NDK-CON-CLOSE-01");
    ASSERT_EQ(end(disconnect_), Status::success);
    connector_->close();
    EXPECT_EQ(disconnect_.outcome(), Status::canceled);
    connector_ = make_ref<Connector>(adapter_);
}

TEST_F(ConnectorTest, ANoticeIsAnEndInOrderForOtherFaces) {
    proves("NDK-CON-DISC-04");
    bring_to_connected();
    EXPECT_FALSE(wire().sink->on_peer_finished());
}

}  // namespace
}  // namespace opennd

// SPDX-License-Identifier: MIT
// A connection over an RDMA device, set up: the fake rdma_cm is the kernel, the test the peer. connector_end_test.cpp has its ends.
#include "transport/verbs/connection/connector.h"

#include <gtest/gtest.h>

#include <atomic>
#include <string_view>

#include "base/explanation.h"
#include "unit/transport/verbs/connector_test.h"

namespace opennd::verbs {
namespace {

TEST_P(VerbsConnecting, AsksForTheAddressThenForTheRouteThenForTheConnection) {
    connect();
    journal_.wait_for("resolve_addr");
    tell(RDMA_CM_EVENT_ADDR_RESOLVED);
    journal_.wait_for("resolve_route");
    tell(RDMA_CM_EVENT_ROUTE_RESOLVED);
    journal_.wait_for("connect");
    EXPECT_EQ(cm_.last_data().size(), is_iwarp() ? 40u : 56u);
    EXPECT_EQ(program_part(cm_.last_data()), data(40));
    const rdma_conn_param terms = cm_.last_terms();
    EXPECT_EQ(terms.qp_num, 4711u);
    EXPECT_EQ(terms.responder_resources, 5);  // what the peer may read at a time
    EXPECT_EQ(terms.initiator_depth, 6);
    EXPECT_EQ(terms.rnr_retry_count, 7);  // without end: each side keeps the time of its own messages
    EXPECT_TRUE(journal_.in_order("pair begins", "resolve_addr"));
}

// rdma_cm's fields are octets.
TEST_P(VerbsConnecting, OffersAsManyReadsAsAnOctetHoldsWhereTheLimitIsGreater) {
    connector_ =
        VerbsConnector::connect(owner_, device_, program_, here_, PortOrigin::program, there_, {256, 300}, {}, pair_);
    tell(RDMA_CM_EVENT_ADDR_RESOLVED);
    tell(RDMA_CM_EVENT_ROUTE_RESOLVED);
    journal_.wait_for("connect");
    EXPECT_EQ(cm_.last_terms().responder_resources, 255);
    EXPECT_EQ(cm_.last_terms().initiator_depth, 255);
}

TEST_P(VerbsConnecting, OffersToWaitForReceivesWithoutLimit) {
    pair_->waits = pair_->shares = true;
    request();
    EXPECT_EQ(cm_.last_terms().rnr_retry_count, 7);
    EXPECT_EQ(cm_.last_terms().srq, 1);
}

TEST_P(VerbsConnecting, TakesAnotherPortWhereThatOfTheProgramIsTaken) {
    cm_.fail("bind_addr", EADDRINUSE);
    connect();
    journal_.wait_for("resolve_addr");
    EXPECT_TRUE(journal_.in_order("bind_addr:0", "resolve_addr"));
}

TEST_P(VerbsConnecting, RefusesASecondConnectionOfTheSameTwoAddresses) {
    request();
    const Ref<TransportConnector> second = begin(make_ref<JournalledPair>(journal_, device_), PortOrigin::program);
    journal_.wait_for("connect failed: address_exists, 0 octets");
    const Ref<TransportConnector> drawn = begin(make_ref<JournalledPair>(journal_, device_), PortOrigin::drawn);
    journal_.wait_for("resolve_addr", 2);
    second->end(Ending::cancel);
    drawn->end(Ending::cancel);
}

TEST_P(VerbsConnecting, LetsTheNextHaveTheAddressesOfAConnectionThatIsOver) {
    request();
    connector_->end(Ending::cancel);
    connector_ = begin(pair_, PortOrigin::program);
    journal_.wait_for("resolve_addr", 2);
}

TEST_P(VerbsConnecting, FailsWithoutAQueuePairThatIsIdle) {
    pair_->is_idle = false;
    connect();
    journal_.wait_for("connect failed: connection_aborted, 0 octets");
}

TEST_P(VerbsConnecting, NamesTheReasonWhyNoConnectionCameAbout) {
    struct Case {
        rdma_cm_event_type after;  // the last event that went well, TIMEWAIT_EXIT: none
        FakeCm::Told told;
        const char* line;
    };
    const bool iwarp = GetParam() == IBV_TRANSPORT_IWARP;
    const Case cases[] = {
        {RDMA_CM_EVENT_TIMEWAIT_EXIT,
         {.type = RDMA_CM_EVENT_ADDR_ERROR, .status = -ETIMEDOUT},
         "connect failed: host_unreachable, 0 octets"},
        {RDMA_CM_EVENT_TIMEWAIT_EXIT,
         {.type = RDMA_CM_EVENT_ADDR_ERROR, .status = -ENETUNREACH},
         "connect failed: network_unreachable, 0 octets"},
        {RDMA_CM_EVENT_ADDR_RESOLVED,
         {.type = RDMA_CM_EVENT_ROUTE_ERROR, .status = -EINVAL},
         "connect failed: network_unreachable, 0 octets"},
        {RDMA_CM_EVENT_ROUTE_RESOLVED,
         {.type = RDMA_CM_EVENT_UNREACHABLE, .status = -ETIMEDOUT},
         "connect failed: timed_out, 0 octets"},
        {RDMA_CM_EVENT_ROUTE_RESOLVED,
         {.type = RDMA_CM_EVENT_CONNECT_ERROR, .status = -EINVAL},
         "connect failed: connection_aborted, 0 octets"},
        // Nobody listens: InfiniBand's message has room for data, all zeros.
        {RDMA_CM_EVENT_ROUTE_RESOLVED,
         {.type = RDMA_CM_EVENT_REJECTED, .status = iwarp ? -ECONNREFUSED : 8, .data = 148},
         "connect failed: connection_refused, 0 octets"},
        {RDMA_CM_EVENT_ROUTE_RESOLVED,
         {.type = RDMA_CM_EVENT_REJECTED, .status = iwarp ? -ECONNRESET : 28, .data = 100},
         "connect failed: connection_refused, 100 octets"},
    };
    long tried = 0;
    for (const Case& one : cases) {
        SCOPED_TRACE(one.line);
        connector_ = begin(pair_, PortOrigin::drawn);
        ++tried;
        journal_.wait_for("resolve_addr", tried);
        if (one.after != RDMA_CM_EVENT_TIMEWAIT_EXIT) {
            tell(RDMA_CM_EVENT_ADDR_RESOLVED);
            if (one.after == RDMA_CM_EVENT_ROUTE_RESOLVED) tell(RDMA_CM_EVENT_ROUTE_RESOLVED);
        }
        const long before = journal_.count(one.line);
        cm_.tell(cm_.newest(), one.told);
        journal_.wait_for(one.line, before + 1);
        EXPECT_EQ(journal_.count("pair is idle again"), tried);  // ND2-CON-CONN-06
    }
}

// ND2-CON-CONN-05, as over the other transports.
TEST_P(VerbsConnecting, ReportsARefusal) {
    std::atomic<int> reports = 0;
    set_failure_sink(
        [](void* counter, const Failure& failure) {
            if (std::string_view(failure.requirement) == "ND2-CON-CONN-05") ++*static_cast<std::atomic<int>*>(counter);
        },
        &reports);
    int refusals = 0;
    for (const int status : {is_iwarp() ? -ECONNREFUSED : 8, is_iwarp() ? -ECONNRESET : 28}) {
        request();
        tell(RDMA_CM_EVENT_REJECTED, status);
        journal_.wait_for("connect failed: connection_refused, 0 octets", ++refusals);
        EXPECT_EQ(reports, refusals);
    }
    cm_.fail("connect", ECONNREFUSED);
    request();
    journal_.wait_for("connect failed: connection_refused, 0 octets", ++refusals);
    EXPECT_EQ(reports, refusals);
    set_failure_sink(nullptr, nullptr);
}

TEST_P(VerbsConnecting, NamesTheReasonWhyACallFailed) {
    const std::pair<int, const char*> cases[] = {{ECONNREFUSED, "connect failed: connection_refused, 0 octets"},
                                                 {ETIMEDOUT, "connect failed: timed_out, 0 octets"},
                                                 {EHOSTUNREACH, "connect failed: host_unreachable, 0 octets"},
                                                 {EADDRNOTAVAIL, "connect failed: address_exists, 0 octets"},
                                                 {ENODEV, "connect failed: device_removed, 0 octets"}};
    for (const auto& [error, line] : cases) {
        cm_.fail("connect", error);
        connector_ = begin(pair_, PortOrigin::drawn);
        tell(RDMA_CM_EVENT_ADDR_RESOLVED);
        tell(RDMA_CM_EVENT_ROUTE_RESOLVED);
        journal_.wait_for(line);
    }
    cm_.fail("connect", 0);
    cm_.fail("resolve_addr", ENETUNREACH);
    connector_ = begin(pair_, PortOrigin::drawn);
    journal_.wait_for("connect failed: network_unreachable, 0 octets");
}

TEST_P(VerbsConnecting, GoesToNoPeerOfAnotherDevice) {
    NoDevice other(GetParam());
    connect();
    journal_.wait_for("resolve_addr");
    cm_.newest()->verbs = &other.context;
    tell(RDMA_CM_EVENT_ADDR_RESOLVED);
    journal_.wait_for("connect failed: network_unreachable, 0 octets");
    EXPECT_FALSE(journal_.has("resolve_route"));
}

TEST_P(VerbsConnecting, TellsTheReplyWithItsDataCutToTheLimit) {
    reply(200);
    // iWARP: what the device says, since its event may be wrong.
    journal_.wait_for(is_iwarp() ? "replied 2 in 3 out, 200 octets" : "replied 4 in 3 out, 148 octets");
    EXPECT_FALSE(journal_.has("pair RTR"));  // the program has not completed
}

TEST_P(VerbsConnecting, NeverRaisesItsOfferByTheReply) {
    request();
    cm_.tell(cm_.newest(), {.type = is_iwarp() ? RDMA_CM_EVENT_ESTABLISHED : RDMA_CM_EVENT_CONNECT_RESPONSE,
                            .inbound = 200,
                            .outbound = 200});
    journal_.wait_for(is_iwarp() ? "replied 2 in 3 out, 0 octets" : "replied 5 in 6 out, 0 octets");
}

TEST_P(VerbsConnecting, CompletesByMakingTheHardwareReadyThenTellingThePeer) {
    reply();
    connector_->complete();
    journal_.wait_for(established());
    if (is_iwarp()) {
        EXPECT_FALSE(journal_.has("pair RTR"));  // the kernel has done that
        EXPECT_FALSE(journal_.has("establish"));
        return;
    }
    EXPECT_TRUE(journal_.in_order("pair RTR", "pair RTS"));
    EXPECT_TRUE(journal_.in_order("pair RTS", "pair attached"));
    EXPECT_TRUE(journal_.in_order("pair attached", "establish"));
    // What was settled, not what rdma_cm proposes; times of OpenND.
    EXPECT_EQ(pair_->to_receive.first.max_dest_rd_atomic, 4);
    EXPECT_EQ(pair_->to_receive.first.min_rnr_timer, 14) << "1.28 ms: a receive comes late, but not much";
    EXPECT_EQ(pair_->to_send.first.max_rd_atomic, 3);
    EXPECT_EQ(pair_->to_send.first.retry_cnt, 6) << "7 is without end for rxe";
    EXPECT_EQ(pair_->to_send.first.rnr_retry, 7) << "not the peer's wish, which is 0 for some";
    EXPECT_EQ(pair_->to_send.first.timeout, 19) << "seven times 2.1 s; the path's own time is less";
    EXPECT_EQ(pair_->to_receive.second & FakeCm::kOfEthernet, 0);
}

TEST_P(VerbsConnecting, FailsToCompleteWhereTheHardwareRefuses) {
    pair_->modified = Status::internal_error;
    pair_->attaches = !is_iwarp();  // iWARP: the kernel has made it ready, but the program has released it
    reply();
    connector_->complete();
    journal_.wait_for(is_iwarp() ? "establish failed: canceled" : "establish failed: internal_error");
    EXPECT_TRUE(journal_.has("pair ended"));
    journal_.wait_for("destroy_id");  // the peer hears of it so
}

TEST_P(VerbsConnecting, FailsToCompleteAfterThePeerGaveUp) {
    reply();
    tell(is_iwarp() ? RDMA_CM_EVENT_DISCONNECTED : RDMA_CM_EVENT_REJECTED, 28);
    journal_.wait_for("establish failed: connection_aborted");
    EXPECT_FALSE(journal_.has("pair ended"));
    connector_->complete();  // ND2-CON-CMPL-02
    EXPECT_TRUE(journal_.has("pair ended"));
}

TEST_P(VerbsConnecting, GivesTheQueuePairBackWhereItRejectsAReplyThatWasTakenBack) {
    reply();
    tell(is_iwarp() ? RDMA_CM_EVENT_DISCONNECTED : RDMA_CM_EVENT_REJECTED, 28);
    journal_.wait_for("establish failed: connection_aborted");
    connector_->reject({});
    EXPECT_TRUE(journal_.has("pair is idle again"));
}

TEST_P(VerbsConnecting, HandsARequestToItsListenerWithWhatThisSideMayDo) {
    listen();
    ask({.type = RDMA_CM_EVENT_CONNECT_REQUEST, .inbound = 200, .outbound = 3, .data = 56});
    journal_.wait_for("request of 192.0.2.2:6000, 8 in 3 out, 56 octets");  // 8: the adapter's
}

TEST_P(VerbsConnecting, AcceptsByMakingTheHardwareReadyThenAnswering) {
    accept();
    if (!is_iwarp()) {
        EXPECT_TRUE(journal_.in_order("pair RTS", "pair attached, held"));
        EXPECT_EQ(pair_->to_receive.first.max_dest_rd_atomic, 2);
        EXPECT_EQ(pair_->to_send.first.max_rd_atomic, 1);
    }
    EXPECT_TRUE(journal_.in_order("pair begins", "pair attached, held"));
    EXPECT_TRUE(journal_.in_order("pair attached, held", "accept"));
    EXPECT_EQ(cm_.last_data().size(), is_iwarp() ? 100u : 196u);
    EXPECT_EQ(program_part(cm_.last_data()), data(100));
    EXPECT_EQ(cm_.last_terms().responder_resources, 2);
    EXPECT_EQ(cm_.last_terms().initiator_depth, 1);
    EXPECT_FALSE(journal_.has("pair released"));  // a request sent now would be lost
    tell_asker(RDMA_CM_EVENT_ESTABLISHED);
    journal_.wait_for(established());
    EXPECT_TRUE(journal_.in_order("pair released", established()));
}

TEST_P(VerbsConnecting, TellsRdmaCmOfAMessageThatOvertookThePeersWord) {
    accept();
    const Ref<ConnectionEnd> end = pair_->connection;
    end->queue_pair_heard();
    EXPECT_EQ(journal_.count("notify"), 1);
    tell_asker(RDMA_CM_EVENT_ESTABLISHED);  // which it makes of that
    end->queue_pair_heard();
    EXPECT_EQ(journal_.count("notify"), 1);
}

TEST_P(VerbsConnecting, LearnsFromRdmaCmThatTheRequestWasTakenBack) {
    listen();
    ask({.type = RDMA_CM_EVENT_CONNECT_REQUEST});
    journal_.wait_for("request of 192.0.2.2:6000, 0 in 0 out, 0 octets");
    turn();
    EXPECT_FALSE(guest()->abandoned());
    cm_.fail(is_iwarp() ? "accept" : "init_qp_attr RTR", is_iwarp() ? ECONNRESET : EINVAL);
    EXPECT_EQ(guest()->abandoned(), !is_iwarp());  // iWARP tells it at the answer alone
    guest()->set_sink(program_);
    if (!is_iwarp()) journal_.wait_for("establish failed: connection_aborted");
    guest()->accept(pair_, {}, {});
    journal_.wait_for("establish failed: connection_aborted", is_iwarp() ? 1 : 2);
    EXPECT_TRUE(journal_.has("pair ended"));  // ND2-CON-ACC-07
}

TEST_P(VerbsConnecting, TellsARefusalOfTheReplyFromAFailure) {
    for (const auto& [status, line] : {std::pair{28, "establish failed: connection_refused"},
                                       std::pair{4, "establish failed: connection_aborted"}}) {
        accept();
        tell_asker(RDMA_CM_EVENT_REJECTED, status);  // ND2-CON-ACC-03
        journal_.wait_for(line);
        guest()->end(Ending::give_up);
        stop_listening();
    }
    EXPECT_EQ(journal_.count("pair ended"), 2);
}

TEST_P(VerbsConnecting, HearsThatThePeerCompletedAndEndedBeforeAcceptDid) {
    accept();
    tell_asker(RDMA_CM_EVENT_DISCONNECTED);
    journal_.wait_for("disconnected: disconnected");  // core's Accept succeeds by it
}

TEST_P(VerbsConnecting, RejectsARequestWithItsData) {
    listen();
    ask({.type = RDMA_CM_EVENT_CONNECT_REQUEST});
    journal_.wait_for("request of 192.0.2.2:6000, 0 in 0 out, 0 octets");
    turn();
    guest()->reject(data(148));
    EXPECT_EQ(cm_.last_data(), data(148)) << "no room for a mark";
    journal_.wait_for("destroy_id");
}

TEST_P(VerbsConnecting, RefusesRequestsBeforeItListens) {
    const auto listener = make_ref<VerbsListener>(owner_, device_, sink_);
    EXPECT_EQ(listener->bind(here_).value(), here_);
    ask({.type = RDMA_CM_EVENT_CONNECT_REQUEST});
    journal_.wait_for("reject");
    listener->close();
    EXPECT_FALSE(journal_.has("request of 192.0.2.2:6000, 0 in 0 out, 0 octets"));
}

TEST_P(VerbsConnecting, BindsToAPortThatNobodyHas) {
    const auto listener = make_ref<VerbsListener>(owner_, device_, sink_);
    const Result<Address> bound = listener->bind(here_.with_port(0));
    EXPECT_GE(bound.value().port(), 49152);  // ND2-CON-PORT-02
    listener->close();
    EXPECT_EQ(journal_.count("destroy_id"), 1);  // the port is free on return (ND2-LIS-BIND-03)
}

TEST_P(VerbsConnecting, SaysThatAPortIsTaken) {
    const auto listener = make_ref<VerbsListener>(owner_, device_, sink_);
    cm_.fail("listen", EADDRINUSE);  // iWARP's ports are TCP's, and only this call tells
    EXPECT_EQ(listener->bind(here_).status(), Status::address_in_use);
    EXPECT_EQ(cm_.ids(), 0u);
    cm_.fail("listen", 0);
    cm_.fail("bind_addr", EADDRNOTAVAIL);
    EXPECT_EQ(listener->bind(here_).status(), Status::invalid_address);
    listener->close();
}

INSTANTIATE_TEST_SUITE_P(Fabrics, VerbsConnecting, both_fabrics(), fabric_name);

}  // namespace
}  // namespace opennd::verbs

// SPDX-License-Identifier: MIT
//
// Connections of version 1 once they are made, their end, and INDListen. Requirements ND1-CN-FMR-*, ND1-CN-NDISC-*,
// ND1-CN-DISC-*, ND1-LS-*, ND1-OV-CXL-08 to -10.
#include <cstdlib>

#include "conformance/nd1/nd1_test.h"
#include "support/tested_device.h"

namespace opennd::conformance::nd1 {
namespace {

class Nd1Connected : public Nd1Test {};

TEST_P(Nd1Connected, OutboundRequestsWaitForTheConnectionAndThePassiveSideMaySpeakFirst) {
    if (const char* const why = support::lacks(support::Ability::complete_connect)) GTEST_SKIP() << why;
    proves("ND1-EP-GEN-01", "ND1-CN-ACC-03", "ND1-CN-ACC-09", "ND1-CN-CPL-01", "ND1-CN-CPL-04", "ND1-EP-RECV-08",
           "ND1-CN-FMR-01", "ND1-CN-FMR-02", "ND1-CN-FMR-03", "ND1-CN-FMR-05");
    Pair pair;
    ND_RESULT sent, received, back, answer;
    ASSERT_TRUE(is(pair.a.receive(received, 64), ND_SUCCESS));
    ASSERT_TRUE(is(pair.b.receive(back, 64), ND_SUCCESS));
    pair.requested();
    EXPECT_TRUE(is(pair.a.send(sent, 8), ND_CONNECTION_INVALID));
    EXPECT_TRUE(is(pair.b.send(sent, 8), ND_CONNECTION_INVALID));
    require(pair.b.connector->Accept(pair.b.endpoint.get(), nullptr, 0, pair.accepting), ND_PENDING, "Accept");
    EXPECT_TRUE(is(pair.b.send(sent, 8), ND_CONNECTION_INVALID)) << "Connecting";
    ASSERT_TRUE(is(pair.connecting.wait(), ND_SUCCESS));
    EXPECT_TRUE(is(pair.a.send(sent, 8), ND_CONNECTION_INVALID)) << "not usable yet";
    EXPECT_TRUE(is(pair.accepting.now(), ND_PENDING)) << "until CompleteConnect";
    Request completing;
    ASSERT_TRUE(is(finish(pair.a.connector->CompleteConnect(completing), completing), ND_SUCCESS));
    ASSERT_TRUE(is(pair.accepting.wait(), ND_SUCCESS));
    ASSERT_TRUE(is(pair.b.send(sent, 8), ND_SUCCESS));
    EXPECT_TRUE(comes(*pair.a.inbound.get(), received, ND_SUCCESS, 8));
    EXPECT_TRUE(comes(*pair.b.outbound.get(), sent, ND_SUCCESS, 8));
    ASSERT_TRUE(is(pair.a.send(answer, 8), ND_SUCCESS));
    EXPECT_TRUE(comes(*pair.b.inbound.get(), back, ND_SUCCESS, 8));
}

TEST_P(Nd1Connected, AFirstMessageCanBeAnsweredBeforeAcceptIsSeen) {
    provokes("CHECK-NO-RECEIVE");
    proves("ND1-CN-ACC-03", "ND1-CN-ACC-09", "ND1-EP-RECV-08");
    for (int round = 0; round < 10; ++round) {
        Pair pair;
        pair.replied();
        ND_RESULT received, sent, answer;
        ASSERT_TRUE(is(pair.b.receive(received, 64), ND_SUCCESS));
        Request completing;
        ASSERT_TRUE(is(finish(pair.a.connector->CompleteConnect(completing), completing), ND_SUCCESS));
        ASSERT_TRUE(is(pair.a.send(sent, 8), ND_SUCCESS));
        ASSERT_TRUE(comes(*pair.b.inbound.get(), received, ND_SUCCESS, 8));
        EXPECT_TRUE(is(pair.b.send(answer, 8), ND_SUCCESS));
        EXPECT_TRUE(is(pair.accepting.wait(), ND_SUCCESS));
    }
}

TEST_P(Nd1Connected, ThePeersDisconnectIsOnlyTold) {
    if (const char* const why = support::lacks(support::Ability::half_close)) GTEST_SKIP() << why;
    proves("ND1-CN-NDISC-01", "ND1-CN-NDISC-04", "ND1-CN-NDISC-05", "ND1-CN-NDISC-06", "ND1-EP-GEN-21",
           "ND1-CN-DISC-01", "ND1-CN-DISC-02", "ND1-CN-DISC-04", "ND1-CN-DISC-06", "ND1-CN-DISC-08", "IW-ERR-23");
    Pair pair;
    pair.connected();
    ND_RESULT received, sent;
    ASSERT_TRUE(is(pair.b.receive(received, 64), ND_SUCCESS));
    Request first, second, done, late, ending, closing;
    ASSERT_TRUE(is(pair.b.connector->NotifyDisconnect(first), ND_PENDING));
    ASSERT_TRUE(is(pair.b.connector->NotifyDisconnect(second), ND_PENDING));
    ASSERT_TRUE(is(finish(pair.a.connector->Disconnect(ending), ending), ND_SUCCESS));
    EXPECT_TRUE(is(first.wait(), ND_SUCCESS));
    EXPECT_TRUE(is(second.wait(), ND_SUCCESS));
    EXPECT_TRUE(is(pair.b.connector->NotifyDisconnect(late), ND_SUCCESS)) << "at once";
    ASSERT_TRUE(is(pair.b.send(sent, 8), ND_SUCCESS)) << "PeerGone: accepted";
    EXPECT_EQ(next(*pair.b.inbound.get(), support::milliseconds(50)), none()) << "stays pending";
    EXPECT_TRUE(is(pair.b.connector->Disconnect(closing), ND_SUCCESS)) << "inline";
    ND_RESULT* result = nullptr;
    ASSERT_EQ(pair.b.inbound->GetResults(&result, 1), 1u) << "in the queue before Disconnect is seen complete";
    EXPECT_TRUE(is(received.Status, ND_CANCELED));
    ASSERT_EQ(pair.b.outbound->GetResults(&result, 1), 1u);
    EXPECT_TRUE(is(sent.Status, ND_CANCELED));
    EXPECT_TRUE(is(pair.b.connector->NotifyDisconnect(done), ND_SUCCESS));
    EXPECT_TRUE(is(pair.b.connector->Disconnect(closing), ND_CONNECTION_INVALID));
}

TEST_P(Nd1Connected, WhatThePeerHadTakenIsDelivered) {
    proves("ND1-EP-GEN-18", "ND1-CN-DISC-03", "ND1-EP-GEN-21");
    Pair pair;
    pair.connected();
    ND_RESULT received, sent;
    ASSERT_TRUE(is(pair.b.receive(received, 64), ND_SUCCESS));
    ASSERT_TRUE(is(pair.a.send(sent, 8), ND_SUCCESS));
    ASSERT_TRUE(comes(*pair.a.outbound.get(), sent, ND_SUCCESS, 8));
    Request ending;
    ASSERT_TRUE(is(finish(pair.a.connector->Disconnect(ending), ending), ND_SUCCESS));
    EXPECT_TRUE(comes(*pair.b.inbound.get(), received, ND_SUCCESS, 8));
}

TEST_P(Nd1Connected, ALostConnectionTimesOutTheOldestRequest) {
    provokes("CHECK-ENTRY", "CHECK-NO-RECEIVE");
    proves("ND1-EP-GEN-22", "ND1-EP-GEN-10", "ND1-CN-NDISC-01");
    // The ways in which the peer's endpoint fails: three of its requests cannot be carried out.
    enum class Way { send, bind, invalidate };
    for (const Way way : {Way::send, Way::bind, Way::invalidate}) {
        SCOPED_TRACE(static_cast<int>(way));
        Pair pair;
        pair.connected();
        Request ended, ending;
        ASSERT_TRUE(is(pair.a.connector->NotifyDisconnect(ended), ND_PENDING));
        ND_RESULT silent, behind, received, bad, late;
        ASSERT_TRUE(is(pair.a.receive(received, 8), ND_SUCCESS));
        ASSERT_TRUE(is(pair.a.send(silent, 8, ND_OP_FLAG_SILENT_SUCCESS), ND_SUCCESS)) << "no Receive is posted for it";
        ASSERT_TRUE(is(pair.a.send(behind, 8), ND_SUCCESS));
        const auto window = memory_window(*pair.b.adapter.get());
        const ND_MR_HANDLE stale = reinterpret_cast<ND_MR_HANDLE>(1);
        const ND_SGE sge{pair.b.memory.data(), 8, stale};
        ND_MW_DESCRIPTOR descriptor;
        const HRESULT posted = way == Way::send ? pair.b.endpoint->Send(&bad, &sge, 1, 0)
                               : way == Way::bind
                                   ? pair.b.endpoint->Bind(&bad, stale, window.get(), pair.b.memory.data(), 8,
                                                           ND_OP_FLAG_ALLOW_READ, &descriptor)
                                   : pair.b.endpoint->Invalidate(&bad, window.get(), 0);
        ASSERT_TRUE(is(posted, ND_SUCCESS));
        EXPECT_TRUE(
            comes(*pair.b.outbound.get(), bad, way == Way::invalidate ? ND_INVALIDATION_ERROR : ND_ACCESS_VIOLATION));
        EXPECT_TRUE(comes(*pair.a.outbound.get(), silent, ND_TIMEOUT)) << "silence is for success";
        EXPECT_TRUE(comes(*pair.a.outbound.get(), behind, ND_CANCELED));
        EXPECT_TRUE(comes(*pair.a.inbound.get(), received, ND_CANCELED));
        EXPECT_TRUE(is(ended.wait(), ND_SUCCESS));
        ASSERT_TRUE(is(pair.a.send(late, 8), ND_SUCCESS)) << "Failed: accepted";
        EXPECT_TRUE(comes(*pair.a.outbound.get(), late, ND_CANCELED));
        EXPECT_TRUE(is(finish(pair.a.connector->Disconnect(ending), ending), ND_SUCCESS));
    }
}

TEST_P(Nd1Connected, AnAddressThatNoTransportReachesIsUnreachable) {
    proves("ND1-CN-CONN-12", "ND1-CN-CONN-14");
    const bool without_routes = std::getenv("OPENND_TEST_ADDRESS") != nullptr;  // a network of the tests' own
    if (std::string(GetParam().transport) == "iwarp" && !without_routes)
        GTEST_SKIP()
            << "iwarp asks the host's network, which may know a way; tests/network runs it where there is none";
    Side side;
    SocketAddress elsewhere = loopback_address(4711);
    elsewhere.set_host("192.0.2.1", "2001:db8::1");
    Request request;
    const HRESULT begun = connect(side, elsewhere, request);
    // A device asks its neighbours for the address.
    const bool asks = std::string(GetParam().transport) == "verbs";
    EXPECT_TRUE(is(finish(begun, request), asks ? ND_HOST_UNREACHABLE : ND_NETWORK_UNREACHABLE));
    SIZE_T bytes = 0;
    EXPECT_TRUE(is(side.connector->GetLocalAddress(nullptr, &bytes), ND_CONNECTION_INVALID)) << "idle again";
}

TEST_P(Nd1Connected, BothMayDisconnectAtOnce) {
    proves("ND1-CN-DISC-07", "ND1-CN-NDISC-01");
    for (int round = 0; round < 10; ++round) {
        Pair pair;
        pair.connected();
        Request a_ends, b_ends, told;
        ASSERT_TRUE(is(pair.a.connector->NotifyDisconnect(told), ND_PENDING));
        const HRESULT a = pair.a.connector->Disconnect(a_ends), b = pair.b.connector->Disconnect(b_ends);
        EXPECT_TRUE(is(finish(a, a_ends), ND_SUCCESS));
        EXPECT_TRUE(is(finish(b, b_ends), ND_SUCCESS));
        EXPECT_TRUE(is(told.wait(), ND_SUCCESS)) << "a local Disconnect is an end too (ND1-AMB-29)";
    }
}

TEST_P(Nd1Connected, NotifyDisconnectIsCancelledAloneOrWithItsConnector) {
    proves("ND1-OV-CXL-08", "ND1-CN-NDISC-03", "ND1-OV-CXL-09");
    Pair pair;
    pair.connected();
    Request first, second;
    ASSERT_TRUE(is(pair.a.connector->NotifyDisconnect(first), ND_PENDING));
    EXPECT_TRUE(is(pair.a.connector->CancelOverlappedRequests(), ND_SUCCESS));
    EXPECT_TRUE(is(first.now(), ND_CANCELED));
    ND_RESULT sent, received;
    ASSERT_TRUE(is(pair.b.receive(received, 8), ND_SUCCESS));
    ASSERT_TRUE(is(pair.a.send(sent, 8), ND_SUCCESS)) << "the connection is as it was";
    EXPECT_TRUE(comes(*pair.a.outbound.get(), sent, ND_SUCCESS, 8));
    ASSERT_TRUE(is(pair.a.connector->NotifyDisconnect(second), ND_PENDING));
    pair.a.connector.reset();
    EXPECT_TRUE(is(second.now(), ND_CANCELED));
}

TEST_P(Nd1Connected, EitherReleaseEndsTheConnection) {
    proves("ND1-CN-DISC-09", "ND1-EP-GEN-24", "ND1-CQ-09", "ND1-COM-10");
    for (const bool endpoint : {true, false}) {
        Pair pair;
        pair.connected();
        Request ended;
        ASSERT_TRUE(is(pair.b.connector->NotifyDisconnect(ended), ND_PENDING));
        ND_RESULT own;
        ASSERT_TRUE(is(pair.a.receive(own, 8), ND_SUCCESS));
        if (endpoint) {
            EXPECT_EQ(pair.a.endpoint.reset(), 0u);
            Request request;
            EXPECT_TRUE(is(pair.a.connector->Disconnect(request), ND_CONNECTION_INVALID));
        } else {
            EXPECT_EQ(pair.a.connector.reset(), 0u);
            ND_RESULT sent;
            EXPECT_TRUE(is(pair.a.send(sent, 8), ND_CONNECTION_INVALID));
        }
        EXPECT_TRUE(comes(*pair.a.inbound.get(), own, ND_CANCELED)) << "readable until read";
        EXPECT_TRUE(is(ended.wait(), ND_SUCCESS));
    }
}

TEST_P(Nd1Connected, ListenersGiveEachRequestToOneConnectorOldestFirst) {
    provokes("CHECK-SECOND-REQUEST");
    proves("ND1-LS-GCR-01", "ND1-LS-GCR-02", "ND1-LS-GCR-03", "ND1-LS-GCR-04", "ND1-LS-GCR-05", "ND1-LS-GCR-07",
           "ND1-AD-LSN-02", "ND1-AD-LSN-12", "ND1-OV-CXL-10", "ND1-LS-CLS-02", "ND1-LS-GCR-09");
    Side passive, active, another;
    Listening listening(*passive.adapter.get());
    const auto second = connector(*passive.adapter.get());
    Request one, two, waits, third, cancelled;
    EXPECT_TRUE(is(listening.object->GetConnectionRequest(nullptr, one), ND_INVALID_PARAMETER_1));
    EXPECT_TRUE(is(listening.object->GetConnectionRequest(active.connector.get(), one), ND_INVALID_PARAMETER_1));
    EXPECT_TRUE(is(listening.object->GetConnectionRequest(passive.connector.get(), nullptr), ND_INVALID_PARAMETER_2));
    ASSERT_TRUE(is(listening.object->GetConnectionRequest(passive.connector.get(), one), ND_PENDING));
    EXPECT_TRUE(is(listening.object->GetConnectionRequest(passive.connector.get(), two), ND_CONNECTION_ACTIVE));
    ASSERT_TRUE(is(listening.object->GetConnectionRequest(second.get(), two), ND_PENDING));
    EXPECT_TRUE(is(listening.object->CancelOverlappedRequests(), ND_SUCCESS));
    EXPECT_TRUE(is(one.now(), ND_CANCELED));
    EXPECT_TRUE(is(two.now(), ND_CANCELED));
    ASSERT_TRUE(is(listening.object->GetConnectionRequest(passive.connector.get(), one), ND_PENDING)) << "idle again";
    ASSERT_TRUE(is(listening.object->GetConnectionRequest(second.get(), two), ND_PENDING));
    ASSERT_TRUE(is(connect(active, listening.address, waits), ND_PENDING));
    ASSERT_TRUE(is(one.wait(), ND_SUCCESS));
    EXPECT_TRUE(is(two.now(), ND_PENDING));
    ASSERT_TRUE(is(connect(another, listening.address, third), ND_PENDING));
    ASSERT_TRUE(is(two.wait(), ND_SUCCESS));
    active.connector->CancelOverlappedRequests();
    another.connector->CancelOverlappedRequests();
}

TEST_P(Nd1Connected, TheBacklogIsKept) {
    proves("ND1-AD-LSN-03", "ND1-LS-CLS-01", "ND1-LS-GCR-05");
    Side passive, first, second;
    Listening listening(*passive.adapter.get(), 1);
    Request one, two, pending;
    ASSERT_TRUE(is(connect(first, listening.address, one), ND_PENDING));
    ASSERT_TRUE(is(connect(second, listening.address, two), ND_PENDING));
    ASSERT_TRUE(support::wait_until([&] { return one.now() != ND_PENDING || two.now() != ND_PENDING; }));
    const bool one_waits = one.now() == ND_PENDING;  // whichever came first
    Request& waits = one_waits ? one : two;
    EXPECT_TRUE(is((one_waits ? two : one).now(), ND_CONNECTION_REFUSED));
    EXPECT_TRUE(is(waits.now(), ND_PENDING));
    const auto unused = connector(*passive.adapter.get());
    EXPECT_EQ(listening.object.reset(), 0u);
    EXPECT_TRUE(is(waits.wait(), ND_CONNECTION_REFUSED));
    Listening next_one(*passive.adapter.get());
    ASSERT_TRUE(is(next_one.object->GetConnectionRequest(unused.get(), pending), ND_PENDING));
    EXPECT_EQ(next_one.object.reset(), 0u);
    EXPECT_TRUE(is(pending.now(), ND_CANCELED));
}

INSTANTIATE_TEST_SUITE_P(, Nd1Connected, testing::ValuesIn(variants_of("Nd1")), variant_name);

}  // namespace
}  // namespace opennd::conformance::nd1

// SPDX-License-Identifier: MIT
//
// Setting up a connection and ending it, from either side, and failures on the way.
#include <arpa/inet.h>

#include <cstring>
#include <string_view>
#include <vector>

#include "ndk/consumer/side.h"

namespace opennd::ndk_test {
namespace {

class NdkConnect : public NdkTest {
protected:
    NTSTATUS connect(Loopback from, Loopback to, std::string data = {}) {
        return a_.connector->Dispatch->NdkConnect(a_.connector.get(), a_.queue_pair.get(), from.get(), from.length(),
                                                  to.get(), to.length(), 16, 8, data.empty() ? nullptr : data.data(),
                                                  static_cast<ULONG>(data.size()), Calls::request, &active_);
    }
    NTSTATUS connect(const std::string& data = {}) { return connect(Loopback(), host_.address(), data); }
    NTSTATUS complete() {
        return a_.connector->Dispatch->NdkCompleteConnect(a_.connector.get(), Calls::event, &a_.disconnected,
                                                          Calls::request, &active_);
    }
    NTSTATUS accept_with(std::string data = {}) {
        return b_.connector->Dispatch->NdkAccept(b_.connector.get(), b_.queue_pair.get(), 32, 4, data.data(),
                                                 static_cast<ULONG>(data.size()), Calls::event, &b_.disconnected,
                                                 Calls::request, &passive_);
    }
    void take_request() {
        b_.connector = host_.next();
        ASSERT_NE(b_.connector.get(), nullptr);
    }
    void connect_fully() {
        ASSERT_STATUS(connect(), STATUS_PENDING);
        take_request();
        ASSERT_STATUS(accept_with(), STATUS_PENDING);
        ASSERT_STATUS(active_.next(), STATUS_SUCCESS);
        ASSERT_STATUS(active_.end(complete()), STATUS_SUCCESS);
        ASSERT_STATUS(passive_.next(), STATUS_SUCCESS);
    }
    static NTSTATUS disconnect(Side& side, Calls& calls) {
        return side.connector->Dispatch->NdkDisconnect(side.connector.get(), Calls::request, &calls);
    }
    static std::string data_of(Side& side, ULONG* inbound = nullptr, ULONG* outbound = nullptr) {
        ULONG bytes = 0;
        const auto get = side.connector->Dispatch->NdkGetConnectionData;
        EXPECT_STATUS(get(side.connector.get(), inbound, outbound, nullptr, &bytes), STATUS_SUCCESS);
        std::string data(bytes, '?');
        EXPECT_STATUS(get(side.connector.get(), nullptr, nullptr, data.data(), &bytes), STATUS_SUCCESS);
        return data;
    }

    Calls active_, passive_;
    Adapter host_adapter_;
    Host host_{host_adapter_};
    Side a_, b_;
};
OPENND_OVER_EACH_TRANSPORT(NdkConnect);

TEST_P(NdkConnect, BothSidesLearnDataLimitsAndAddresses) {
    proves("NDK-CON-CONN-03", "NDK-CON-DATA-01", "NDK-CON-DATA-02", "NDK-CON-DATA-03", "NDK-CON-DATA-04",
           "NDK-CON-ADDR-01", "NDK-SIZE-01", "NDK-SIZE-02", "NDK-SIZE-03", "NDK-LIS-02", "NDK-CONS-41", "NDK-CONS-42",
           "NDK-CONS-43", "NDK-CONS-44", "NDK-CONS-45", "NDK-CONS-47", "NDK-CON-ACC-01", "NDK-CON-ACC-02",
           "NDK-CON-ACC-03", "NDK-CON-CC-01", "NDK-GEN-01");
    Loopback address;
    ULONG length = sizeof address.address;
    EXPECT_STATUS(a_.connector->Dispatch->NdkGetLocalAddress(a_.connector.get(), address.get(), &length),
                  STATUS_CONNECTION_INVALID);
    ASSERT_STATUS(connect("hello"), STATUS_PENDING);
    take_request();
    ULONG inbound = 0, outbound = 0;
    EXPECT_EQ(data_of(b_, &inbound, &outbound), "hello");
    EXPECT_EQ(inbound, 8u);
    EXPECT_EQ(outbound, 16u);
    ASSERT_STATUS(accept_with("welcome"), STATUS_PENDING);
    ASSERT_STATUS(active_.next(), STATUS_SUCCESS);
    EXPECT_EQ(data_of(a_, &inbound, &outbound), "welcome");
    EXPECT_EQ(inbound, 4u);
    EXPECT_EQ(outbound, 8u);
    ASSERT_STATUS(active_.end(complete()), STATUS_SUCCESS);
    ASSERT_STATUS(passive_.next(), STATUS_SUCCESS);
    EXPECT_EQ(data_of(a_), "welcome");
    char few[3];
    ULONG bytes = sizeof few;
    EXPECT_STATUS(a_.connector->Dispatch->NdkGetConnectionData(a_.connector.get(), nullptr, nullptr, few, &bytes),
                  STATUS_BUFFER_TOO_SMALL);
    EXPECT_EQ(bytes, 7u);
    EXPECT_EQ(std::memcmp(few, "wel", 3), 0);
    EXPECT_STATUS(a_.connector->Dispatch->NdkGetConnectionData(a_.connector.get(), nullptr, nullptr, nullptr, &bytes),
                  STATUS_INVALID_PARAMETER);

    length = sizeof(SOCKADDR_IN);
    EXPECT_STATUS(a_.connector->Dispatch->NdkGetPeerAddress(a_.connector.get(), address.get(), &length),
                  STATUS_SUCCESS);
    EXPECT_EQ(length, 16u);
    EXPECT_EQ(address.address.ipv4.sin_port, host_.address().address.ipv4.sin_port);
    length = 0;
    EXPECT_STATUS(a_.connector->Dispatch->NdkGetLocalAddress(a_.connector.get(), nullptr, &length),
                  STATUS_BUFFER_TOO_SMALL);
    EXPECT_EQ(length, 16u);
    EXPECT_STATUS(a_.connector->Dispatch->NdkGetLocalAddress(a_.connector.get(), nullptr, &length),
                  STATUS_INVALID_PARAMETER);
    length = 15;
    EXPECT_STATUS(a_.connector->Dispatch->NdkGetLocalAddress(a_.connector.get(), address.get(), &length),
                  STATUS_BUFFER_TOO_SMALL);
}

TEST_P(NdkConnect, ARefusalLeavesConnectorAndQueuePairForAnotherTry) {
    proves("NDK-CON-CONN-05", "NDK-CON-REJ-01", "NDK-QP-STATE-02", "NDK-CON-REJ-02", "NDK-CON-DATA-03");
    EXPECT_STATUS(a_.receive(1, 0, 64), STATUS_SUCCESS);
    ASSERT_STATUS(connect(), STATUS_PENDING);
    take_request();
    char sorry[] = "sorry";
    EXPECT_STATUS(b_.connector->Dispatch->NdkReject(b_.connector.get(), sorry, 5), STATUS_SUCCESS);
    EXPECT_STATUS(b_.connector->Dispatch->NdkReject(b_.connector.get(), nullptr, 0), STATUS_CONNECTION_INVALID);
    EXPECT_STATUS(active_.next(), STATUS_CONNECTION_REFUSED);
    ULONG inbound = 9, outbound = 9;
    EXPECT_EQ(data_of(a_, &inbound, &outbound), "sorry");
    EXPECT_EQ(inbound + outbound, 0u);
    b_.connector = {};
    connect_fully();
    EXPECT_STATUS(b_.send(2, 0, 8), STATUS_SUCCESS);
    EXPECT_EQ(next_result(a_.received.get()).RequestContext, tag(1)) << "a receive of before";
}

TEST_P(NdkConnect, NobodyThereIsARefusal) {
    proves("NDK-CON-CONN-05");
    EXPECT_STATUS(connect(Loopback(), Loopback(1)), STATUS_PENDING);
    EXPECT_STATUS(active_.next(), STATUS_CONNECTION_REFUSED);
}

TEST_P(NdkConnect, ClosingARequestRefusesIt) {
    proves("NDK-CON-REJ-03", "NDK-CONS-48");
    ASSERT_STATUS(connect(), STATUS_PENDING);
    take_request();
    EXPECT_STATUS(b_.connector.close(), STATUS_SUCCESS);
    EXPECT_STATUS(active_.next(), STATUS_CONNECTION_REFUSED);
}

TEST_P(NdkConnect, WhoGaveUpMakesTheOtherSideFail) {
    proves("NDK-CON-ACC-04", "NDK-CON-CLOSE-01", "NDK-CON-REJ-01");
    ASSERT_STATUS(connect(), STATUS_PENDING);
    take_request();
    ASSERT_STATUS(accept_with(), STATUS_PENDING);
    ASSERT_STATUS(active_.next(), STATUS_SUCCESS);
    EXPECT_STATUS(a_.connector->Dispatch->NdkReject(a_.connector.get(), nullptr, 0), STATUS_SUCCESS);
    EXPECT_STATUS(passive_.next(), STATUS_CONNECTION_ABORTED);
    EXPECT_STATUS(accept_with(), STATUS_CONNECTION_INVALID) << "only its close is left";
}

TEST_P(NdkConnect, AnActiveSideThatClosesMakesTheOtherFail) {
    proves("NDK-CON-ACC-04", "NDK-CON-CLOSE-01");
    ASSERT_STATUS(connect(), STATUS_PENDING);
    take_request();
    ASSERT_STATUS(accept_with(), STATUS_PENDING);
    ASSERT_STATUS(active_.next(), STATUS_SUCCESS);
    EXPECT_STATUS(a_.connector.close(), STATUS_SUCCESS);
    EXPECT_STATUS(passive_.next(), STATUS_CONNECTION_ABORTED);
}

TEST_P(NdkConnect, RequestsAreAcceptedOnceItIsUp) {
    proves("NDK-QP-STATE-01");
    EXPECT_STATUS(a_.send(1, 0, 8), STATUS_CONNECTION_INVALID);
    ASSERT_STATUS(connect(), STATUS_PENDING);
    EXPECT_STATUS(a_.send(1, 0, 8), STATUS_CONNECTION_INVALID);
    take_request();
    EXPECT_STATUS(b_.send(1, 0, 8), STATUS_CONNECTION_INVALID);
    ASSERT_STATUS(accept_with(), STATUS_PENDING);
    ASSERT_STATUS(active_.next(), STATUS_SUCCESS);
    EXPECT_STATUS(a_.send(1, 0, 8), STATUS_CONNECTION_INVALID) << "it is not completed";
    EXPECT_STATUS(b_.send(1, 0, 8), STATUS_CONNECTION_INVALID);
    EXPECT_STATUS(a_.receive(2, 0, 8), STATUS_SUCCESS) << "receives are kept in any state";
    ASSERT_STATUS(active_.end(complete()), STATUS_SUCCESS);
    EXPECT_STATUS(a_.send(1, 0, 8), STATUS_SUCCESS);
    ASSERT_STATUS(passive_.next(), STATUS_SUCCESS);
    EXPECT_STATUS(b_.send(1, 0, 8), STATUS_SUCCESS);
    EXPECT_EQ(next_result(a_.received.get()).RequestContext, tag(2));
}

TEST_P(NdkConnect, ACloseCancelsWhatPends) {
    proves("NDK-CON-CLOSE-01", "NDK-GEN-03");
    ASSERT_STATUS(connect(), STATUS_PENDING);
    Calls closed;
    const NTSTATUS status = begin_close(a_.connector.give_up(), closed);
    EXPECT_STATUS(active_.next(), STATUS_CANCELLED);
    EXPECT_STATUS(closed.end(status), STATUS_SUCCESS);
}

TEST_P(NdkConnect, ArgumentsAreChecked) {
    proves("NDK-CON-CONN-01", "NDK-CON-CONN-02", "NDK-CON-CONN-04", "NDK-GEN-07", "NDK-HOST-50", "NDK-MAP-02");
    Loopback anywhere, elsewhere, no_port;
    anywhere.address.ipv4.sin_addr.s_addr = 0;
    elsewhere.address.ipv4.sin_addr.s_addr = htonl(0xC0000201);
    EXPECT_STATUS(connect(anywhere, host_.address()), STATUS_INVALID_ADDRESS);
    EXPECT_STATUS(connect(elsewhere, host_.address()), STATUS_INVALID_ADDRESS);
    EXPECT_STATUS(connect(Loopback(), no_port), STATUS_INVALID_PARAMETER);
    Loopback nowhere = host_.address(), many = host_.address();
    nowhere.address.ipv4.sin_addr.s_addr = 0;
    many.address.ipv4.sin_addr.s_addr = htonl(0xE0000001);
    EXPECT_STATUS(connect(Loopback(), nowhere), STATUS_INVALID_PARAMETER);
    EXPECT_STATUS(connect(Loopback(), many), STATUS_INVALID_PARAMETER);
    std::string much(509, 'x');
    EXPECT_STATUS(connect(much), STATUS_INVALID_BUFFER_SIZE);
    Loopback from, to = host_.address();
    const auto with = [&](ULONG source_bytes, PVOID data, ULONG bytes, NDK_QP* queue_pair) {
        return a_.connector->Dispatch->NdkConnect(a_.connector.get(), queue_pair, from.get(), source_bytes, to.get(),
                                                  to.length(), 1, 1, data, bytes, Calls::request, &active_);
    };
    EXPECT_STATUS(with(15, nullptr, 0, a_.queue_pair.get()), STATUS_INVALID_PARAMETER);
    EXPECT_STATUS(with(16, nullptr, 1, a_.queue_pair.get()), STATUS_INVALID_PARAMETER);
    EXPECT_STATUS(with(16, nullptr, 0, nullptr), STATUS_INVALID_PARAMETER);
    EXPECT_STATUS(complete(), STATUS_CONNECTION_INVALID);
    EXPECT_STATUS(disconnect(a_, active_), STATUS_CONNECTION_INVALID);
    EXPECT_STATUS(with(28, much.data(), 508, a_.queue_pair.get()), STATUS_PENDING) << "a longer structure, and as much";
    take_request();
    EXPECT_EQ(data_of(b_), much.substr(1));
    EXPECT_STATUS(with(16, nullptr, 0, a_.queue_pair.get()), STATUS_CONNECTION_ACTIVE);
    EXPECT_EQ(active_.count(), 0);
}

TEST_P(NdkConnect, AQueuePairServesOneConnection) {
    proves("NDK-QP-STATE-02", "NDK-CON-CONN-05");
    connect_fully();
    Owned<NDK_CONNECTOR> second = a_.adapter.create_connector();
    std::swap(second, a_.connector);
    EXPECT_STATUS(connect(), STATUS_CONNECTION_ACTIVE);
    std::swap(second, a_.connector);
    a_.connector.close();
    a_.connector = std::move(second);
    EXPECT_STATUS(connect(), STATUS_INVALID_DEVICE_STATE);
}

TEST_P(NdkConnect, ThePeersCloseIsToldOnceAndFlushesNothing) {
    proves("NDK-CON-EVT-01", "NDK-CON-EVT-02", "NDK-CON-CLOSE-03", "NDK-CON-EVT-05");
    connect_fully();
    EXPECT_STATUS(b_.receive(1, 0, 64), STATUS_SUCCESS);
    a_.connector.close();
    EXPECT_NE(b_.disconnected.next(), kNoCallback);
    EXPECT_EQ(b_.disconnected.next(support::milliseconds(100)), kNoCallback);
    EXPECT_EQ(a_.disconnected.count(), 0) << "its own doing";
    b_.connector.close();
    EXPECT_STATUS(next_result(b_.received.get()).Status, STATUS_CANCELLED);
    EXPECT_EQ(b_.disconnected.count(), 1);
}

TEST_P(NdkConnect, ADisconnectWaitsForThePeers) {
    proves("NDK-CON-DISC-01", "NDK-CON-DISC-02", "NDK-CON-DISC-03", "NDK-GEN-17", "NDK-CON-EVT-03", "NDK-QP-STATE-03");
    connect_fully();
    EXPECT_STATUS(a_.receive(1, 0, 64), STATUS_SUCCESS);
    EXPECT_STATUS(a_.receive(2, 0, 64), STATUS_SUCCESS);
    ASSERT_STATUS(disconnect(a_, active_), STATUS_PENDING);
    EXPECT_STATUS(disconnect(a_, active_), STATUS_INVALID_DEVICE_REQUEST);
    EXPECT_STATUS(a_.send(3, 0, 8), STATUS_CONNECTION_INVALID);
    EXPECT_NE(b_.disconnected.next(), kNoCallback);
    EXPECT_EQ(active_.next(support::milliseconds(100)), kNoCallback) << "the peer has not answered";
    EXPECT_STATUS(b_.send(4, 0, 8), STATUS_SUCCESS) << "there is no half-closed state";
    EXPECT_STATUS(next_result(a_.received.get()).Status, STATUS_SUCCESS);
    ASSERT_STATUS(passive_.end(disconnect(b_, passive_)), STATUS_SUCCESS);
    EXPECT_STATUS(active_.next(), STATUS_SUCCESS);
    NDK_RESULT_EX flushed{};
    EXPECT_EQ(a_.received->Dispatch->NdkGetCqResultsEx(a_.received.get(), &flushed, 1), 1u)
        << "before the callback (NDK-CON-DISC-02)";
    EXPECT_STATUS(flushed.Status, STATUS_CANCELLED);
    EXPECT_EQ(a_.disconnected.count(), 0);
    EXPECT_STATUS(disconnect(a_, active_), STATUS_CONNECTION_INVALID);
}

TEST_P(NdkConnect, WhatWasPostedBeforeADisconnectGoesFirst) {
    proves("NDK-CON-DISC-01", "NDK-CON-EVT-01");
    connect_fully();
    ASSERT_STATUS(a_.send(1, 0, 8), STATUS_SUCCESS);
    ASSERT_STATUS(disconnect(a_, active_), STATUS_PENDING);
    EXPECT_EQ(b_.disconnected.next(support::milliseconds(100)), kNoCallback) << "the message waits for its receive";
    ASSERT_STATUS(b_.receive(2, 0, 8), STATUS_SUCCESS);
    EXPECT_STATUS(next_result(b_.received.get()).Status, STATUS_SUCCESS);
    EXPECT_NE(b_.disconnected.next(), kNoCallback);
    ASSERT_STATUS(passive_.end(disconnect(b_, passive_)), STATUS_SUCCESS);
    EXPECT_STATUS(active_.next(), STATUS_SUCCESS);
    EXPECT_STATUS(next_result(a_.initiated.get()).Status, STATUS_SUCCESS);
}

TEST_P(NdkConnect, AFlushLeavesNothingToDisconnect) {
    proves("NDK-QP-FLUSH-02", "NDK-CON-DISC-01");
    connect_fully();
    a_.queue_pair->Dispatch->NdkFlush(a_.queue_pair.get());
    EXPECT_STATUS(disconnect(a_, active_), STATUS_CONNECTION_INVALID);
    EXPECT_EQ(a_.disconnected.count(), 0) << "its own doing";
}

TEST_P(NdkConnect, AnAnswerMayBeTheClose) {
    proves("NDK-CON-DISC-04");
    connect_fully();
    ASSERT_STATUS(disconnect(a_, active_), STATUS_PENDING);
    EXPECT_NE(b_.disconnected.next(), kNoCallback);
    b_.connector.close();
    EXPECT_STATUS(active_.next(), STATUS_SUCCESS);
}

}  // namespace
}  // namespace opennd::ndk_test

// SPDX-License-Identifier: MIT
//
// Listeners and shared endpoints: the owners of addresses, and the requests that are indicated.
#include <arpa/inet.h>

#include <atomic>
#include <deque>
#include <vector>

#include "ndk/consumer/side.h"

namespace opennd::ndk_test {
namespace {

class NdkListening : public NdkTest {
protected:
    NTSTATUS listen(Owned<NDK_LISTENER>& listener, Loopback at) {
        return listener->Dispatch->NdkListen(listener.get(), at.get(), at.length(), nullptr, nullptr);
    }
    Owned<NDK_LISTENER> another() { return adapter_.create_listener(Host::on_connect, &host_); }
    NTSTATUS ask(Side& side, Calls& calls) { return begin_connect(side, host_, calls); }
    NTSTATUS create_endpoint(Loopback at, Owned<NDK_SHARED_ENDPOINT>& endpoint) {
        return adapter_.call().NdkCreateSharedEndpoint(adapter_.get(), at.get(), at.length(), nullptr, nullptr,
                                                       endpoint.out());
    }
    static Loopback address_of(Owned<NDK_SHARED_ENDPOINT>& endpoint) {
        Loopback address;
        ULONG length = sizeof address.address;
        EXPECT_STATUS(endpoint->Dispatch->NdkGetLocalAddress(endpoint.get(), address.get(), &length), STATUS_SUCCESS);
        return address;
    }

    Adapter adapter_;
    Host host_{adapter_};
};
OPENND_OVER_EACH_TRANSPORT(NdkListening);

TEST_P(NdkListening, AnAddressHasOneListener) {
    proves("NDK-LIS-01", "NDK-LIS-09", "NDK-GEN-17", "NDK-CONS-52", "NDK-SEP-01");
    Owned<NDK_LISTENER> second = another();
    Loopback address;
    ULONG length = sizeof address.address;
    EXPECT_STATUS(second->Dispatch->NdkGetLocalAddress(second.get(), address.get(), &length),
                  STATUS_INVALID_DEVICE_STATE);
    EXPECT_STATUS(listen(second, host_.address()), STATUS_SHARING_VIOLATION);
    Loopback elsewhere;
    elsewhere.address.ipv4.sin_addr.s_addr = htonl(0xC0000201);
    EXPECT_STATUS(listen(second, elsewhere), STATUS_INVALID_ADDRESS);
    EXPECT_STATUS(second->Dispatch->NdkListen(second.get(), address.get(), 8, nullptr, nullptr),
                  STATUS_INVALID_PARAMETER);
    EXPECT_STATUS(listen(second, Loopback()), STATUS_SUCCESS);
    EXPECT_STATUS(listen(second, Loopback()), STATUS_INVALID_DEVICE_STATE);
    const Loopback before = host_.address();
    EXPECT_STATUS(host_.listener.close(), STATUS_SUCCESS);
    Owned<NDK_LISTENER> third = another();
    EXPECT_STATUS(listen(third, before), STATUS_SUCCESS) << "the address is free again";
}

TEST_P(NdkListening, TheUnspecifiedAddressIsAllOfTheAdapters) {
    proves("NDK-LIS-01");
    Owned<NDK_LISTENER> everywhere = another();
    Loopback any;
    any.address.ipv4.sin_addr.s_addr = 0;
    ASSERT_STATUS(listen(everywhere, any), STATUS_SUCCESS);
    Loopback at;
    ULONG length = sizeof at.address;
    ASSERT_STATUS(everywhere->Dispatch->NdkGetLocalAddress(everywhere.get(), at.get(), &length), STATUS_SUCCESS);
    EXPECT_EQ(at.address.ipv4.sin_addr.s_addr, 0u);
    EXPECT_NE(at.address.ipv4.sin_port, 0);
    Side side;
    Calls calls;
    Loopback from, to(ntohs(at.address.ipv4.sin_port));
    ASSERT_STATUS(
        side.connector->Dispatch->NdkConnect(side.connector.get(), side.queue_pair.get(), from.get(), from.length(),
                                             to.get(), to.length(), 1, 1, nullptr, 0, Calls::request, &calls),
        STATUS_PENDING);
    Owned<NDK_CONNECTOR> request = host_.next();
    ASSERT_NE(request.get(), nullptr);
    request.close();
    EXPECT_STATUS(calls.next(), STATUS_CONNECTION_REFUSED);
}

TEST_P(NdkListening, PausedItRefuses) {
    proves("NDK-LIS-05", "NDK-LIS-06", "NDK-CONS-49");
    const auto pause = [&](BOOLEAN paused) {
        host_.listener->Dispatch->NdkControlConnectEvents(host_.listener.get(), paused);
    };
    pause(TRUE);
    pause(TRUE);
    Side side;
    Calls calls;
    ASSERT_STATUS(ask(side, calls), STATUS_PENDING);
    EXPECT_STATUS(calls.next(), STATUS_CONNECTION_REFUSED);
    Owned<NDK_LISTENER> second = another();
    EXPECT_STATUS(listen(second, host_.address()), STATUS_SHARING_VIOLATION) << "the address stays taken";
    pause(FALSE);
    ASSERT_STATUS(ask(side, calls), STATUS_PENDING);
    Owned<NDK_CONNECTOR> request = host_.next();
    ASSERT_NE(request.get(), nullptr);
    pause(TRUE);
    EXPECT_STATUS(request->Dispatch->NdkReject(request.get(), nullptr, 0), STATUS_SUCCESS)
        << "what was told before can be answered";
    EXPECT_STATUS(calls.next(), STATUS_CONNECTION_REFUSED);
}

TEST_P(NdkListening, TellsOfOneRequestAfterTheOther) {
    proves("NDK-LIS-03", "NDK-LIS-02");
    struct Guests {
        static VOID on_connect(PVOID self, NDK_CONNECTOR* connector) {
            auto& guests = *static_cast<Guests*>(self);
            if (guests.running++ != 0) ++guests.together;
            (void)connector->Dispatch->NdkCloseConnector(&connector->Header, nullptr, nullptr);
            --guests.running;
            guests.told.add(STATUS_SUCCESS);
        }
        std::atomic<int> running = 0, together = 0;
        Calls told;
    } guests;
    constexpr int kMany = 8;
    Calls refused;
    Owned<NDK_LISTENER> listener = adapter_.create_listener(Guests::on_connect, &guests);
    ASSERT_STATUS(listen(listener, Loopback()), STATUS_SUCCESS);
    Loopback from, to;
    ULONG length = sizeof to.address;
    ASSERT_STATUS(listener->Dispatch->NdkGetLocalAddress(listener.get(), to.get(), &length), STATUS_SUCCESS);
    std::vector<std::unique_ptr<Side>> sides;
    for (int i = 0; i < kMany; ++i) {
        sides.push_back(std::make_unique<Side>());
        Side& side = *sides.back();
        ASSERT_STATUS(
            side.connector->Dispatch->NdkConnect(side.connector.get(), side.queue_pair.get(), from.get(), from.length(),
                                                 to.get(), to.length(), 1, 1, nullptr, 0, Calls::request, &refused),
            STATUS_PENDING);
    }
    for (int i = 0; i < kMany; ++i) {
        EXPECT_STATUS(guests.told.next(), STATUS_SUCCESS);
        EXPECT_STATUS(refused.next(), STATUS_CONNECTION_REFUSED);
    }
    EXPECT_EQ(guests.together, 0);
    EXPECT_STATUS(listener.close(), STATUS_SUCCESS);
}

TEST_P(NdkListening, RefusesWhileTooManyWaitForAnAnswer) {
    proves("NDK-LIS-04");
    constexpr std::size_t kBacklog = 128;
    Calls calls;
    Side side;
    Loopback from, to = host_.address();
    struct Caller {
        Owned<NDK_QP> queue_pair;
        Owned<NDK_CONNECTOR> connector;
    };
    std::vector<Caller> callers(kBacklog + 1);
    const auto call = [&](Caller& caller) {
        caller.connector = side.adapter.create_connector();
        EXPECT_STATUS(
            side.domain->Dispatch->NdkCreateQp(side.domain.get(), side.received.get(), side.initiated.get(), nullptr, 1,
                                               1, 1, 1, 0, nullptr, nullptr, caller.queue_pair.out()),
            STATUS_SUCCESS);
        EXPECT_STATUS(caller.connector->Dispatch->NdkConnect(caller.connector.get(), caller.queue_pair.get(),
                                                             from.get(), from.length(), to.get(), to.length(), 1, 1,
                                                             nullptr, 0, Calls::request, &calls),
                      STATUS_PENDING);
    };
    std::deque<Owned<NDK_CONNECTOR>> waiting;
    for (std::size_t i = 0; i < kBacklog; ++i) {
        call(callers[i]);
        waiting.push_back(host_.next());
        ASSERT_NE(waiting.back().get(), nullptr) << i;
    }
    EXPECT_EQ(calls.count(), 0);
    call(callers[kBacklog]);
    EXPECT_STATUS(calls.next(), STATUS_CONNECTION_REFUSED);
    waiting.pop_front();  // its close refuses it
    EXPECT_STATUS(calls.next(), STATUS_CONNECTION_REFUSED);
    callers[kBacklog] = {};
    call(callers[kBacklog]);
    EXPECT_NE(host_.next().get(), nullptr) << "there is room again";
}

TEST_P(NdkListening, ItsCloseWaitsForItsConnectors) {
    proves("NDK-LIS-07", "NDK-SEP-01");
    Side side, other;
    Calls calls, refused, closed;
    ASSERT_STATUS(ask(side, calls), STATUS_PENDING);
    Owned<NDK_CONNECTOR> request = host_.next();
    ASSERT_NE(request.get(), nullptr);
    const Loopback address = host_.address();
    EXPECT_STATUS(begin_close(host_.listener.give_up(), closed), STATUS_PENDING);
    Owned<NDK_LISTENER> second = another();
    EXPECT_STATUS(listen(second, address), STATUS_SHARING_VIOLATION);
    Loopback from, to = address;
    ASSERT_STATUS(
        other.connector->Dispatch->NdkConnect(other.connector.get(), other.queue_pair.get(), from.get(), from.length(),
                                              to.get(), to.length(), 1, 1, nullptr, 0, Calls::request, &refused),
        STATUS_PENDING);
    EXPECT_STATUS(refused.next(), STATUS_CONNECTION_REFUSED);
    EXPECT_EQ(closed.count(), 0);
    request.close();
    EXPECT_STATUS(closed.next(), STATUS_SUCCESS);
    EXPECT_STATUS(calls.next(), STATUS_CONNECTION_REFUSED);
}

TEST_P(NdkListening, ASharedEndpointServesSeveralConnectors) {
    proves("NDK-SEP-01", "NDK-SEP-02", "NDK-SEP-04", "NDK-CON-CONN-07");
    Owned<NDK_SHARED_ENDPOINT> endpoint, second;
    ASSERT_STATUS(create_endpoint(Loopback(), endpoint), STATUS_SUCCESS);
    const Loopback taken = address_of(endpoint);
    EXPECT_STATUS(create_endpoint(taken, second), STATUS_SHARING_VIOLATION);
    Owned<NDK_LISTENER> listener = another();
    EXPECT_STATUS(listen(listener, taken), STATUS_SHARING_VIOLATION);
    Loopback anywhere;
    anywhere.address.ipv4.sin_addr.s_addr = 0;
    EXPECT_STATUS(create_endpoint(anywhere, second), STATUS_INVALID_ADDRESS);
    Side side;
    Calls calls;
    Loopback to = host_.address();
    const auto connect = [&] {
        return side.connector->Dispatch->NdkConnectWithSharedEndpoint(side.connector.get(), side.queue_pair.get(),
                                                                      endpoint.get(), to.get(), to.length(), 1, 1,
                                                                      nullptr, 0, Calls::request, &calls);
    };
    ASSERT_STATUS(connect(), STATUS_PENDING);
    host_.next().close();
    EXPECT_STATUS(calls.next(), STATUS_CONNECTION_REFUSED);
    ASSERT_STATUS(connect(), STATUS_PENDING);
    Owned<NDK_CONNECTOR> request = host_.next();
    ASSERT_NE(request.get(), nullptr);
    Loopback from;
    ULONG length = sizeof from.address;
    EXPECT_STATUS(side.connector->Dispatch->NdkGetLocalAddress(side.connector.get(), from.get(), &length),
                  STATUS_SUCCESS);
    EXPECT_EQ(from.address.ipv4.sin_port, taken.address.ipv4.sin_port);
    Calls closed;
    EXPECT_STATUS(begin_close(endpoint.give_up(), closed), STATUS_PENDING);
    side.connector.close();
    EXPECT_STATUS(closed.next(), STATUS_SUCCESS);
    EXPECT_STATUS(create_endpoint(taken, second), STATUS_SUCCESS) << "the address is free again";
}

TEST_P(NdkListening, ASharedEndpointConnectsToADestinationOnce) {
    proves("NDK-SEP-03");
    Owned<NDK_SHARED_ENDPOINT> endpoint;
    ASSERT_STATUS(create_endpoint(Loopback(), endpoint), STATUS_SUCCESS);
    Calls calls, accepted;
    Side first, second, server;
    Loopback to = host_.address();
    const auto connect = [&](Side& side, Calls& outcome) {
        return side.connector->Dispatch->NdkConnectWithSharedEndpoint(side.connector.get(), side.queue_pair.get(),
                                                                      endpoint.get(), to.get(), to.length(), 1, 1,
                                                                      nullptr, 0, Calls::request, &outcome);
    };
    ASSERT_STATUS(connect(first, calls), STATUS_PENDING);
    server.connector = host_.next();
    ASSERT_STATUS(accept(server, accepted), STATUS_PENDING);
    ASSERT_STATUS(calls.next(), STATUS_SUCCESS);
    EXPECT_STATUS(calls.end(connect(second, calls)), STATUS_ADDRESS_ALREADY_EXISTS);
    Host elsewhere(adapter_);
    to = elsewhere.address();
    ASSERT_STATUS(connect(second, calls), STATUS_PENDING);
    elsewhere.next().close();
    EXPECT_STATUS(calls.next(), STATUS_CONNECTION_REFUSED) << "another destination is another connection";
}

TEST_P(NdkListening, AConnectorsOwnPortIsItsAlone) {
    proves("NDK-SEP-01", "NDK-SEP-04", "NDK-SEP-05");
    Owned<NDK_SHARED_ENDPOINT> endpoint;
    ASSERT_STATUS(create_endpoint(Loopback(), endpoint), STATUS_SUCCESS);
    Loopback from = address_of(endpoint), to = host_.address();
    Side side;
    Calls calls;
    const auto connect = [&] {
        return calls.end(side.connector->Dispatch->NdkConnect(side.connector.get(), side.queue_pair.get(), from.get(),
                                                              from.length(), to.get(), to.length(), 1, 1, nullptr, 0,
                                                              Calls::request, &calls));
    };
    EXPECT_STATUS(connect(), STATUS_SHARING_VIOLATION);
    EXPECT_STATUS(endpoint.close(), STATUS_SUCCESS);
    host_.listener->Dispatch->NdkControlConnectEvents(host_.listener.get(), TRUE);
    EXPECT_STATUS(connect(), STATUS_CONNECTION_REFUSED);
    EXPECT_STATUS(create_endpoint(from, endpoint), STATUS_SUCCESS) << "a failed attempt keeps nothing";
}

}  // namespace
}  // namespace opennd::ndk_test

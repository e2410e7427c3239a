// SPDX-License-Identifier: MIT
//
// Promises of version 2 about connections beyond the vocabulary: partial private data, the transport taken, surviving
// the test helper that reuses one OVERLAPPED. Runs over every transport.
#include <algorithm>
#include <cstring>
#include <functional>
#include <string>
#include <utility>

#include "conformance/nd2/nd2_test.h"
#include "conformance/vocabulary/fixture.h"
#include "conformance/vocabulary/nd2/objects.h"
#include "support/tested_device.h"
#include "support/transports.h"

namespace opennd::conformance::nd2 {
namespace {

IND2Connector* raw(Endpoint& end) { return dynamic_cast<Nd2Connector&>(*end.connector).get(); }

class Nd2Connection : public ConformanceTest {};

TEST_P(Nd2Connection, TakesTheTransportThatWasSelected) {
    proves("ND2-CON-CONN-08");
    ConnectedPair pair(driver());
    for (Endpoint* end : {&pair.a, &pair.b}) {
        char name[32] = "", path[64] = "";
        ASSERT_TRUE(is(opennd_connection_transport(raw(*end), name, sizeof name, path, sizeof path), ND_SUCCESS));
        EXPECT_STREQ(name, support::wire_within_a_process(GetParam().transport));
    }
}

// The two addresses of each side of a connection, and the listener's address.
TEST_P(Nd2Connection, GivesAnAddressWholeOrNotAtAll) {
    proves("ND2-CON-ADDR-02");
    Handshake handshake(driver());
    handshake.connected();
    IND2Connector* const active = raw(handshake.active);
    IND2Connector* const passive = raw(handshake.passive);
    const ComPtr<IND2Adapter> adapter = support::open_loopback_adapter();
    HANDLE file = nullptr;
    ASSERT_TRUE(is(adapter->CreateOverlappedFile(&file), ND_SUCCESS));
    ComPtr<IND2Listener> listener;
    ASSERT_TRUE(is(adapter->CreateListener(IID_IND2Listener, file, listener.out()), ND_SUCCESS));
    const SocketAddress any_port = loopback_address();
    ASSERT_TRUE(is(listener->Bind(as_sockaddr(any_port), sizeof any_port), ND_SUCCESS));
    const auto whole = static_cast<ULONG>(any_port.length());  // 16, or 28

    using Give = std::function<HRESULT(sockaddr*, ULONG*)>;
    const std::pair<const char*, Give> all[] = {
        {"active, local", [&](sockaddr* address, ULONG* size) { return active->GetLocalAddress(address, size); }},
        {"active, peer", [&](sockaddr* address, ULONG* size) { return active->GetPeerAddress(address, size); }},
        {"passive, local", [&](sockaddr* address, ULONG* size) { return passive->GetLocalAddress(address, size); }},
        {"passive, peer", [&](sockaddr* address, ULONG* size) { return passive->GetPeerAddress(address, size); }},
        {"listener", [&](sockaddr* address, ULONG* size) { return listener->GetLocalAddress(address, size); }},
    };
    for (const auto& [name, give] : all) {
        SCOPED_TRACE(name);
        for (const ULONG before : {ULONG{0}, whole, ULONG{1000}}) {
            ULONG size = before;
            EXPECT_TRUE(is(give(nullptr, &size), ND_BUFFER_OVERFLOW)) << "without a buffer";
            EXPECT_EQ(size, whole);
        }
        unsigned char room[64];
        const auto untouched_from = [&](ULONG first) {
            return std::all_of(room + first, room + sizeof room, [](unsigned char each) { return each == 0xEE; });
        };
        std::memset(room, 0xEE, sizeof room);
        for (ULONG before = 0; before < whole; ++before) {
            ULONG size = before;
            EXPECT_TRUE(is(give(reinterpret_cast<sockaddr*>(room), &size), ND_BUFFER_OVERFLOW)) << before;
            EXPECT_EQ(size, whole);
            EXPECT_TRUE(untouched_from(0)) << before;
        }
        for (const ULONG before : {whole, ULONG{sizeof room}}) {
            std::memset(room, 0xEE, sizeof room);
            ULONG size = before;
            EXPECT_TRUE(is(give(reinterpret_cast<sockaddr*>(room), &size), ND_SUCCESS));
            EXPECT_EQ(size, whole);
            EXPECT_TRUE(untouched_from(whole));
            SocketAddress got;
            std::memcpy(static_cast<void*>(&got), room, whole);
            EXPECT_TRUE(got.same_host(any_port));
            EXPECT_NE(got.ipv4.sin_port, 0);
        }
    }
    listener.reset();
    opennd_handle_close(file);
}

TEST_P(Nd2Connection, GivesPrivateDataWholeInPartAndByLength) {
    if (const char* const why = support::lacks(support::Ability::exact_private_data)) GTEST_SKIP() << why;
    proves("ND2-CON-PD-01", "ND2-CON-PD-03", "ND2-CLI-43", "ND2-CLI-63");
    HandshakeOptions options;
    options.connect_data.assign(10, std::byte{7});
    Handshake handshake(driver(), options);
    handshake.requested();
    IND2Connector* connector = raw(handshake.passive);
    ULONG length = 999;
    EXPECT_TRUE(is(connector->GetPrivateData(nullptr, &length), ND_BUFFER_OVERFLOW));
    EXPECT_EQ(length, 10u) << "whatever it was before";
    unsigned char room[12];
    std::memset(room, 0xEE, sizeof room);
    length = 4;
    EXPECT_TRUE(is(connector->GetPrivateData(room, &length), ND_BUFFER_OVERFLOW));
    EXPECT_EQ(length, 10u);
    EXPECT_EQ(room[3], 7);
    EXPECT_EQ(room[4], 0xEE);
    length = sizeof room;
    EXPECT_TRUE(is(connector->GetPrivateData(room, &length), ND_SUCCESS));
    EXPECT_EQ(length, 10u);
    EXPECT_EQ(room[9], 7);
    EXPECT_EQ(room[10], 0xEE);
    EXPECT_TRUE(is(connector->GetPrivateData(room, nullptr), ND_INVALID_PARAMETER));
}

TEST_P(Nd2Connection, GivesNoPrivateDataAsSuccessOfLengthZero) {
    if (const char* const why = support::lacks(support::Ability::exact_private_data)) GTEST_SKIP() << why;
    proves("ND2-CON-PD-01");
    Handshake handshake(driver());
    handshake.requested();
    ULONG length = 999;
    EXPECT_TRUE(is(raw(handshake.passive)->GetPrivateData(nullptr, &length), ND_SUCCESS));
    EXPECT_EQ(length, 0u);
}

TEST_P(Nd2Connection, GivesEitherReadLimitAlone) {
    proves("ND2-CON-LIM-05");
    Handshake handshake(driver());
    handshake.requested();
    ULONG limit = 999;
    EXPECT_TRUE(is(raw(handshake.passive)->GetReadLimits(&limit, nullptr), ND_SUCCESS));
    EXPECT_EQ(limit, 16u);
    limit = 999;
    EXPECT_TRUE(is(raw(handshake.passive)->GetReadLimits(nullptr, &limit), ND_SUCCESS));
    EXPECT_EQ(limit, 16u);
}

TEST_P(Nd2Connection, SurvivesOneOverlappedForDisconnectAndDeregister) {
    proves("ND2-OVL-16", "ND2-CLI-02");
    for (int round = 0; round < 20; ++round) {
        ConnectedPair pair(driver());
        auto adapter = support::open_loopback_adapter();
        HANDLE file = nullptr;
        ASSERT_TRUE(is(adapter->CreateOverlappedFile(&file), ND_SUCCESS));
        ComPtr<IND2MemoryRegion> region;
        ASSERT_TRUE(is(adapter->CreateMemoryRegion(IID_IND2MemoryRegion, file, region.out()), ND_SUCCESS));
        support::Buffer memory(64);
        OverlappedRequest registration;
        ASSERT_TRUE(is(finish(region->Register(memory.data(), 64, 0, registration.get()), registration, region.get()),
                       ND_SUCCESS));
        auto shared = std::make_unique<OVERLAPPED>();
        (void)raw(pair.a)->Disconnect(shared.get());
        (void)region->Deregister(shared.get());
        region.reset();
        pair.a.connector.reset();
        pair.a.queue_pair.reset();
        shared.reset();  // nothing may touch it from here on; the address sanitizer watches
        EXPECT_TRUE(is(opennd_handle_close(file), ND_SUCCESS));
    }
}

TEST_P(Nd2Connection, ListenerRequestCompletesOnTheListenersFile) {
    provokes("CHECK-OTHER-OBJECT");
    proves("ND2-LIS-REQ-04", "ND2-LIS-REQ-07", "ND2-CLI-95");
    auto adapter = support::open_loopback_adapter();
    HANDLE listener_file = nullptr, connector_file = nullptr, port = nullptr;
    ASSERT_TRUE(is(adapter->CreateOverlappedFile(&listener_file), ND_SUCCESS));
    ASSERT_TRUE(is(adapter->CreateOverlappedFile(&connector_file), ND_SUCCESS));
    ASSERT_TRUE(is(opennd_port_create(&port), ND_SUCCESS));
    ASSERT_TRUE(is(opennd_port_associate(port, listener_file, 1), ND_SUCCESS));
    ComPtr<IND2Listener> listener;
    ASSERT_TRUE(is(adapter->CreateListener(IID_IND2Listener, listener_file, listener.out()), ND_SUCCESS));
    const SocketAddress any_port = loopback_address();
    ASSERT_TRUE(is(listener->Bind(as_sockaddr(any_port), sizeof any_port), ND_SUCCESS));
    ASSERT_TRUE(is(listener->Listen(0), ND_SUCCESS));
    SocketAddress address{};
    ULONG size = sizeof address;
    ASSERT_TRUE(is(listener->GetLocalAddress(as_sockaddr(address), &size), ND_SUCCESS));
    OVERLAPPED overlapped{};
    for (int round = 0; round < 3; ++round) {  // the same OVERLAPPED again, as clients do from their handlers
        ComPtr<IND2Connector> taker;
        ASSERT_TRUE(is(adapter->CreateConnector(IID_IND2Connector, connector_file, taker.out()), ND_SUCCESS));
        ASSERT_TRUE(is(listener->GetConnectionRequest(taker.get(), &overlapped), ND_PENDING));
        Endpoint caller(driver(), EndpointOptions{.memory_bytes = 64});
        ASSERT_EQ(caller.connector->bind(local_address()), Outcome::success);
        const Operation connect = caller.connector->connect(*caller.queue_pair, address, {}, {});
        opennd_packet packet{};
        ULONG count = 0;
        ASSERT_TRUE(is(opennd_port_wait(port, &packet, 1, kWaitMs, &count), ND_SUCCESS));
        EXPECT_EQ(packet.overlapped, &overlapped);
        EXPECT_TRUE(is(taker->GetOverlappedResult(&overlapped, FALSE), ND_SUCCESS));
        EXPECT_TRUE(is(taker->Reject(nullptr, 0), ND_SUCCESS));
        EXPECT_EQ(connect.wait(), Outcome::connection_refused);
        EXPECT_EQ(taker.reset(), 0u);
    }
    EXPECT_EQ(listener.reset(), 0u);
    for (HANDLE handle : {listener_file, connector_file, port})
        EXPECT_TRUE(is(opennd_handle_close(handle), ND_SUCCESS));
}

INSTANTIATE_TEST_SUITE_P(, Nd2Connection, testing::ValuesIn(variants_of("Nd2")), variant_name);

}  // namespace
}  // namespace opennd::conformance::nd2

// SPDX-License-Identifier: MIT
//
// Facts about an adapter without opening it: counters, capabilities, connections and local endpoints (NDK-STAT-*).
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "../../examples/connected_pair.h"
#include "ndk/consumer/counters.h"
#include "ndk/consumer/side.h"

namespace opennd::ndk_test {
namespace {

USHORT port_of(const SOCKADDR_INET& address) { return ntohs(address.Ipv4.sin_port); }

// Of each connection its own addresses, and the entry below: of TCP in the form with two entries, else the same.
struct ConnectionRow {
    NDIS_NDK_CONNECTION_ENTRY own, below;
};
struct ConnectionList {
    bool mapped;
    std::vector<ConnectionRow> rows;
};

ConnectionList connections() {
    ULONG bytes = 0;
    EXPECT_STATUS(opennd_ndk_query_connections(loopback_interface(), nullptr, &bytes), STATUS_BUFFER_TOO_SMALL);
    std::vector<std::byte> buffer(bytes);
    auto* const list = reinterpret_cast<NDIS_NDK_CONNECTIONS*>(buffer.data());
    EXPECT_STATUS(opennd_ndk_query_connections(loopback_interface(), list, &bytes), STATUS_SUCCESS);
    EXPECT_EQ(list->Header.Size, bytes);
    const ULONG step = list->NDConnectionsMappedtoTCPConnections ? 2 : 1;
    EXPECT_EQ(list->Count % step, 0u);
    ConnectionList all{step == 2, {}};
    for (ULONG i = 0; i + step <= list->Count; i += step)
        all.rows.push_back({list->Connections[i], list->Connections[i + step - 1]});
    return all;
}

bool are_ends_of_one(const NDIS_NDK_CONNECTION_ENTRY& a, const NDIS_NDK_CONNECTION_ENTRY& b) {
    return port_of(a.Local) == port_of(b.Remote) && port_of(b.Local) == port_of(a.Remote);
}

// Whether the kernel has an established TCP connection between these ports.
bool is_tcp(const NDIS_NDK_CONNECTION_ENTRY& entry) {
    std::ifstream table("/proc/net/tcp");
    std::string line;
    while (std::getline(table, line)) {
        unsigned local = 0, remote = 0, state = 0;
        if (std::sscanf(line.c_str(), " %*u: %*x:%x %*x:%x %x", &local, &remote, &state) != 3) continue;
        if (state == 1 && local == port_of(entry.Local) && remote == port_of(entry.Remote)) return true;
    }
    return false;
}

std::vector<NDIS_NDK_LOCAL_ENDPOINT_ENTRY> endpoints() {
    ULONG bytes = 0;
    EXPECT_STATUS(opennd_ndk_query_local_endpoints(loopback_interface(), nullptr, &bytes), STATUS_BUFFER_TOO_SMALL);
    std::vector<std::byte> buffer(bytes);
    auto* const list = reinterpret_cast<NDIS_NDK_LOCAL_ENDPOINTS*>(buffer.data());
    EXPECT_STATUS(opennd_ndk_query_local_endpoints(loopback_interface(), list, &bytes), STATUS_SUCCESS);
    EXPECT_EQ(list->Header.Size, bytes);
    return {list->LocalEndpoints, list->LocalEndpoints + list->Count};
}

class NdkStatistics : public NdkTest {};

TEST_P(NdkStatistics, CountConnectionsAndWhatTravels) {
    proves("NDK-STAT-01", "NDK-STAT-02", "NDK-STAT-03");
    constexpr ULONG kBytes = 5000;
    const NDIS_NDK_PERFORMANCE_COUNTERS before = counters();
    {
        Pair pair;
        const NDIS_NDK_PERFORMANCE_COUNTERS connected = counters();
        EXPECT_EQ(connected.Connect, before.Connect + 1);
        EXPECT_EQ(connected.Accept, before.Accept + 1);
        EXPECT_EQ(connected.ActiveConnection, before.ActiveConnection + 2);

        ASSERT_STATUS(pair.b.receive(1, 0, kBytes), STATUS_SUCCESS);
        ASSERT_STATUS(pair.a.send(2, 0, kBytes), STATUS_SUCCESS);
        ASSERT_STATUS(next_result(pair.b.received.get()).Status, STATUS_SUCCESS);
        ASSERT_STATUS(next_result(pair.a.initiated.get()).Status, STATUS_SUCCESS);
        const NDIS_NDK_PERFORMANCE_COUNTERS sent = counters();
        EXPECT_GT(sent.RDMAOutOctets, connected.RDMAOutOctets + kBytes);
        EXPECT_GT(sent.RDMAOutFrames, connected.RDMAOutFrames);
        // The thread that took the message in may be about to count it.
        EXPECT_TRUE(support::wait_until([&] {
            const NDIS_NDK_PERFORMANCE_COUNTERS taken = counters();
            return taken.RDMAInOctets > connected.RDMAInOctets + kBytes && taken.RDMAInFrames > connected.RDMAInFrames;
        }));

        const NDK_SGE entry = pair.a.part(0, kBytes);
        ASSERT_STATUS(pair.a.queue_pair->Dispatch->NdkWrite(pair.a.queue_pair.get(), tag(3), &entry, 1,
                                                            pair.b.address(8192), pair.b.remote_token, 0),
                      STATUS_SUCCESS);
        ASSERT_STATUS(next_result(pair.a.initiated.get()).Status, STATUS_SUCCESS);
        const NDIS_NDK_PERFORMANCE_COUNTERS written = counters();
        EXPECT_GE(written.RDMAOutOctets, sent.RDMAOutOctets + kBytes);
    }
    const NDIS_NDK_PERFORMANCE_COUNTERS after = counters();
    EXPECT_EQ(after.ActiveConnection, before.ActiveConnection);
    EXPECT_GT(after.RDMAOutOctets, before.RDMAOutOctets + 2 * kBytes);  // kept though the connections are gone
}

TEST_P(NdkStatistics, CountAnAttemptThatFails) {
    proves("NDK-STAT-03");
    const Side side;
    Loopback from, nobody(1);
    Calls connected;
    const ULONG64 before = counters().ConnectFailure;
    EXPECT_STATUS(connected.end(side.connector->Dispatch->NdkConnect(
                      side.connector.get(), side.queue_pair.get(), from.get(), from.length(), nobody.get(),
                      nobody.length(), 1, 1, nullptr, 0, Calls::request, &connected)),
                  STATUS_CONNECTION_REFUSED);
    EXPECT_EQ(counters().ConnectFailure, before + 1);
}

// Each of its two ends is a connection here.
TEST_P(NdkStatistics, CountConnectionsThatFailAndNotThoseThatEnd) {
    proves("NDK-STAT-01", "NDK-STAT-04");
    const NDIS_NDK_PERFORMANCE_COUNTERS before = counters();
    {
        Pair ended;
        Calls disconnected;
        const auto disconnect = [&](Side& side) {
            return side.connector->Dispatch->NdkDisconnect(side.connector.get(), Calls::request, &disconnected);
        };
        EXPECT_STATUS(disconnect(ended.a), STATUS_PENDING);
        EXPECT_NE(ended.b.disconnected.next(), kNoCallback);
        EXPECT_STATUS(disconnected.end(disconnect(ended.b)), STATUS_SUCCESS);
        EXPECT_STATUS(disconnected.next(), STATUS_SUCCESS) << "the other's";
    }
    EXPECT_EQ(counters().ConnectionError, before.ConnectionError);
    EXPECT_EQ(counters().ActiveConnection, before.ActiveConnection);
    {
        Pair failing;
        const NDK_SGE entry = failing.a.part(0, 8);
        ASSERT_STATUS(failing.a.queue_pair->Dispatch->NdkWrite(failing.a.queue_pair.get(), tag(1), &entry, 1,
                                                               failing.b.address(0), 0, 0),
                      STATUS_SUCCESS);
        EXPECT_STATUS(next_result(failing.a.initiated.get()).Status, STATUS_ACCESS_VIOLATION);
        EXPECT_NE(failing.a.disconnected.next(), kNoCallback);
        EXPECT_NE(failing.b.disconnected.next(), kNoCallback);
        EXPECT_EQ(counters().ConnectionError, before.ConnectionError + 2);
        EXPECT_EQ(counters().ActiveConnection, before.ActiveConnection);
    }
    const NDIS_NDK_PERFORMANCE_COUNTERS after = counters();
    EXPECT_EQ(after.ConnectionError, before.ConnectionError + 2) << "once";
    EXPECT_EQ(after.ConnectFailure, before.ConnectFailure) << "the attempts had succeeded";
    EXPECT_EQ(after.CQError, before.CQError);
}

TEST_P(NdkStatistics, CoverTheInterfaceOfVersion2) {
    proves("NDK-STAT-01", "NDK-STAT-12");
    const NDIS_NDK_PERFORMANCE_COUNTERS before = counters();
    const example::Adapter adapter;
    example::Memory memory(adapter, 4096, ND_MR_FLAG_ALLOW_LOCAL_WRITE);
    example::ConnectedPair pair(adapter);
    EXPECT_EQ(counters().Connect, before.Connect + 1);
    EXPECT_EQ(counters().Accept, before.Accept + 1);
    const ND2_SGE part = memory.part(4096);
    ASSERT_EQ(pair.passive.queue_pair->Receive(nullptr, &part, 1), ND_SUCCESS);
    ASSERT_EQ(pair.active.queue_pair->Send(nullptr, &part, 1, 0), ND_SUCCESS);
    ASSERT_EQ(pair.passive.wait().Status, ND_SUCCESS);
    EXPECT_TRUE(support::wait_until([&] { return counters().RDMAInOctets > before.RDMAInOctets + 4096; }));
    int own = 0;
    for (const ConnectionRow& each : connections().rows) {
        if (!each.own.UserModeOwner) continue;
        ++own;
        EXPECT_EQ(each.own.OwnerPid, static_cast<ULONG>(getpid()));
    }
    EXPECT_EQ(own, 2);
}

// The peer is told of the end, which is no loss.
TEST_P(NdkStatistics, CountNoErrorWhereVersion2Disconnects) {
    proves("NDK-STAT-01", "NDK-STAT-04");
    const NDIS_NDK_PERFORMANCE_COUNTERS before = counters();
    const example::Adapter adapter;
    example::ConnectedPair pair(adapter);
    example::Request told, ending;
    const HRESULT asked = pair.passive.connector->NotifyDisconnect(told.get());
    ASSERT_EQ(ending.finish(pair.active.connector, pair.active.connector->Disconnect(ending.get())), ND_SUCCESS);
    ASSERT_EQ(told.finish(pair.passive.connector, asked), ND_SUCCESS);
    EXPECT_EQ(counters().ConnectionError, before.ConnectionError);
    EXPECT_EQ(counters().ActiveConnection, before.ActiveConnection);
}

TEST_P(NdkStatistics, NameConnectionsAndLocalEndpoints) {
    proves("NDK-STAT-10", "NDK-STAT-11", "NDK-STAT-12", "NDK-STAT-30");
    Pair pair;
    Host host(pair.b.adapter);
    const USHORT port = ntohs(host.address().address.ipv4.sin_port);
    int listeners = 0;
    for (const NDIS_NDK_LOCAL_ENDPOINT_ENTRY& each : endpoints())
        if (port_of(each.Local) == port) {
            ++listeners;
            EXPECT_TRUE(each.Listener);
            EXPECT_FALSE(each.UserModeOwner);
            EXPECT_EQ(each.OwnerPid, static_cast<ULONG>(getpid()));
        }
    EXPECT_EQ(listeners, 1);

    Loopback local;
    Owned<NDK_SHARED_ENDPOINT> shared;
    ASSERT_STATUS(pair.a.adapter.call().NdkCreateSharedEndpoint(pair.a.adapter.get(), local.get(), local.length(),
                                                                nullptr, nullptr, shared.out()),
                  STATUS_SUCCESS);
    int not_listening = 0;
    for (const NDIS_NDK_LOCAL_ENDPOINT_ENTRY& each : endpoints()) not_listening += each.Listener ? 0 : 1;
    EXPECT_EQ(not_listening, 1);

    const ConnectionList open = connections();
    ASSERT_EQ(open.rows.size(), 2u);
    EXPECT_FALSE(open.rows[0].own.UserModeOwner);
    EXPECT_TRUE(are_ends_of_one(open.rows[0].own, open.rows[1].own));

    ULONG bytes = sizeof(NDIS_NDK_CONNECTIONS);  // room for one
    NDIS_NDK_CONNECTIONS one{};
    EXPECT_STATUS(opennd_ndk_query_connections(loopback_interface(), &one, &bytes), STATUS_BUFFER_TOO_SMALL);
    EXPECT_EQ(bytes, 16 + (open.mapped ? 4 : 2) * sizeof(NDIS_NDK_CONNECTION_ENTRY));
    EXPECT_EQ(one.Count, 0u);
}

TEST_P(NdkStatistics, NameTheStreamBelowAConnection) {
    proves("NDK-STAT-13", "NDK-STAT-14");
    const bool iwarp = std::string_view(GetParam()) == "iwarp";
    Pair pair;
    const ConnectionList alone = connections();
    EXPECT_EQ(alone.mapped, iwarp);
    ASSERT_EQ(alone.rows.size(), 2u);
    for (const ConnectionRow& each : alone.rows) EXPECT_EQ(is_tcp(each.below), iwarp);
    EXPECT_TRUE(are_ends_of_one(alone.rows[0].below, alone.rows[1].below));

    // With both kinds open, all take the form with two, and those without a stream stand there twice.
    ASSERT_STATUS(opennd_transport_select(iwarp ? "loopback" : "iwarp"), ND_SUCCESS);
    Pair other;
    const ConnectionList both = connections();
    EXPECT_TRUE(both.mapped);
    ASSERT_EQ(both.rows.size(), 4u);
    int over_tcp = 0;
    for (const ConnectionRow& each : both.rows) {
        const bool as_own = std::memcmp(&each.own.Local, &each.below.Local, 2 * sizeof each.own.Local) == 0;
        if (is_tcp(each.below))
            ++over_tcp;
        else
            EXPECT_TRUE(as_own);
    }
    EXPECT_EQ(over_tcp, 2);
}

OPENND_OVER_EACH_TRANSPORT(NdkStatistics);

TEST(NdkCapabilities, AreThoseOfTheSoftware) {
    proves("NDK-STAT-04");
    NDIS_NDK_CAPABILITIES capabilities{};
    NDK_ADAPTER_INFO info{};
    ASSERT_STATUS(opennd_ndk_query_capabilities(loopback_interface(), &capabilities, &info), STATUS_SUCCESS);
    EXPECT_EQ(capabilities.Header.Size, sizeof capabilities);
    EXPECT_EQ(capabilities.MaxQpCount, 65536u);
    EXPECT_EQ(capabilities.MaxMrCount, 1048576u);
    EXPECT_EQ(capabilities.MaxInboundReadLimit, 0u);
    EXPECT_EQ(capabilities.MissingCounterMask, 0u);
    ASSERT_EQ(capabilities.NdkInfo, &info);
    const NDK_ADAPTER_INFO told = Adapter().info();
    EXPECT_EQ(std::memcmp(&info, &told, sizeof info), 0);
    EXPECT_STATUS(opennd_ndk_query_capabilities(loopback_interface(), &capabilities, nullptr), STATUS_SUCCESS);
    EXPECT_EQ(capabilities.NdkInfo, nullptr);
}

TEST(NdkStatisticsArguments, AreChecked) {
    proves("NDK-STAT-30");
    constexpr NET_IFINDEX kNone = 0x7FFFFFFF;
    NDIS_NDK_STATISTICS_INFO info{};
    NDIS_NDK_CAPABILITIES capabilities{};
    ULONG bytes = 0;
    EXPECT_STATUS(opennd_ndk_query_statistics(kNone, &info), NDIS_STATUS_ADAPTER_NOT_FOUND);
    EXPECT_STATUS(opennd_ndk_query_capabilities(kNone, &capabilities, nullptr), NDIS_STATUS_ADAPTER_NOT_FOUND);
    EXPECT_STATUS(opennd_ndk_query_connections(kNone, nullptr, &bytes), NDIS_STATUS_ADAPTER_NOT_FOUND);
    EXPECT_STATUS(opennd_ndk_query_local_endpoints(kNone, nullptr, &bytes), NDIS_STATUS_ADAPTER_NOT_FOUND);
    EXPECT_STATUS(opennd_ndk_query_statistics(loopback_interface(), nullptr), STATUS_INVALID_PARAMETER);
    EXPECT_STATUS(opennd_ndk_query_capabilities(loopback_interface(), nullptr, nullptr), STATUS_INVALID_PARAMETER);
    EXPECT_STATUS(opennd_ndk_query_connections(loopback_interface(), nullptr, nullptr), STATUS_INVALID_PARAMETER);
    EXPECT_STATUS(opennd_ndk_query_local_endpoints(loopback_interface(), nullptr, nullptr), STATUS_INVALID_PARAMETER);
}

}  // namespace
}  // namespace opennd::ndk_test

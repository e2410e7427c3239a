// SPDX-License-Identifier: MIT
//
// One side of a connection through NDKPI, and two of them that are connected, over a chosen transport.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <string>

#include "ndk/consumer/consumer.h"
#include "support/requirement.h"
#include "support/transports.h"

namespace opennd::ndk_test {

using support::proves;

inline constexpr ULONG kDepth = 16;
inline constexpr ULONG kMemory = 64 * 1024;
inline constexpr ULONG kAllRights =
    NDK_MR_FLAG_ALLOW_LOCAL_WRITE | NDK_MR_FLAG_ALLOW_REMOTE_READ | NDK_MR_FLAG_ALLOW_REMOTE_WRITE;

struct SideOptions {
    NDK_VERSION version{2, 1};
    ULONG rights = kAllRights;
    ULONG inline_bytes = 256;
    ULONG sges = 4;
    ULONG reads = 16;
    PVOID queue_pair_context = nullptr;
    NET_IFINDEX if_index = 0;  // 0: that of the tests' address
};

// All it needs to be connected. Members are public because tests speak about them.
struct Side {
    explicit Side(const SideOptions& options = {});

    NTSTATUS send(ULONG_PTR number, ULONG offset, ULONG bytes, ULONG flags = 0);
    NTSTATUS receive(ULONG_PTR number, ULONG offset, ULONG bytes);
    NDK_SGE part(ULONG offset, ULONG bytes) { return sge(memory->data() + offset, bytes, local_token); }
    UINT64 address(ULONG offset) const { return reinterpret_cast<UINT64>(memory->data() + offset); }

    SideOptions options;
    Calls received_armed, initiated_armed, disconnected;  // until the adapter is closed, no callback comes later
    Adapter adapter;
    Owned<NDK_PD> domain;
    Owned<NDK_CQ> received, initiated;
    std::unique_ptr<std::array<std::byte, kMemory>> memory;
    Owned<NDK_MR> region;
    UINT32 local_token = 0, remote_token = 0;
    Owned<NDK_QP> queue_pair;
    Owned<NDK_CONNECTOR> connector;
};

// A listener with events to wait for.
struct Host {
    explicit Host(const Adapter& adapter);
    ~Host();  // waits until the listener is closed, for which the connectors that were given out must be
    static VOID on_connect(PVOID host, NDK_CONNECTOR* connector);
    // The connector of the next request; NULL if none comes in time.
    Owned<NDK_CONNECTOR> next();
    Loopback address();

    void close_waiting();

    Calls events;
    std::mutex mutex;
    std::deque<NDK_CONNECTOR*> waiting;
    Owned<NDK_LISTENER> listener;
};

// `active` asks `passive` at `host`; the two steps, so that tests can stand between them.
NTSTATUS begin_connect(Side& active, Host& host, Calls& calls);
NTSTATUS accept(Side& passive, Calls& calls);

struct Pair {
    explicit Pair(const SideOptions& options = {}) : Pair(options, options) {}
    Pair(const SideOptions& active, const SideOptions& passive) : a(active), b(passive) { connect(); }
    void connect();

    std::unique_ptr<Host> host;  // closed once they are connected
    Side a, b;
};

// Runs over each transport: the parameter is its name.
class NdkTest : public testing::TestWithParam<const char*> {
protected:
    NdkTest();
    ~NdkTest() override;
};

inline std::string transport_name(const testing::TestParamInfo<const char*>& info) { return info.param; }

#define OPENND_OVER_EACH_TRANSPORT(Suite) \
    INSTANTIATE_TEST_SUITE_P(Ndk, Suite, testing::ValuesIn(support::tested_transports()), transport_name)

}  // namespace opennd::ndk_test

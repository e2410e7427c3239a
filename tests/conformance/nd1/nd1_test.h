// SPDX-License-Identifier: MIT
//
// Fixture for the promises of version 1 alone: raw interfaces, over each transport. A Side has everything for one end
// of a connection; a Pair is two of them, connected.
#pragma once

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <opennd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <vector>

#include "conformance/vocabulary/fixture.h"
#include "support/adapter.h"
#include "support/buffer.h"
#include "support/com_ptr.h"
#include "support/deadline.h"
#include "support/diagnostics.h"
#include "support/requirement.h"
#include "support/skipped_test.h"
#include "support/status.h"

namespace opennd::conformance::nd1 {

using support::as_sockaddr;
using support::ComPtr;
using support::is;
using support::loopback_address;
using support::proves;
using support::provokes;
using support::require;

inline constexpr INT kProtocol = 123;

// An OVERLAPPED with an event, waited for with a deadline. Everything but hEvent is stale, as programs leave it.
class Request {
public:
    Request() {
        require(opennd_event_create(TRUE, TRUE, &event_), ND_SUCCESS, "opennd_event_create");
        std::memset(static_cast<void*>(&overlapped), 0xA5, sizeof overlapped);
        overlapped.hEvent = event_;
    }
    Request(const Request&) = delete;
    Request& operator=(const Request&) = delete;
    ~Request() { opennd_handle_close(event_); }

    operator OVERLAPPED*() { return &overlapped; }
    HANDLE event() const { return event_; }
    // The status once it is complete; ND_PENDING if it is not by the deadline.
    HRESULT wait(support::milliseconds limit = support::kDeadline) {
        if (opennd_event_wait(event_, static_cast<DWORD>(limit.count())) != ND_SUCCESS) return ND_PENDING;
        return now();
    }
    HRESULT now() { return static_cast<HRESULT>(std::atomic_ref(overlapped.Internal).load(std::memory_order_acquire)); }

    OVERLAPPED overlapped;

private:
    HANDLE event_ = nullptr;
};

// The outcome of a call that takes a Request: at once, or later.
inline HRESULT finish(HRESULT begun, Request& request) { return FAILED(begun) ? begun : request.wait(); }

inline ComPtr<INDAdapter> open_adapter() {
    const SocketAddress address = loopback_address();
    ComPtr<INDAdapter> adapter;
    require(NdOpenV1Adapter(as_sockaddr(address), sizeof address, adapter.put()), S_OK, "NdOpenV1Adapter");
    return adapter;
}

inline ND_ADAPTER_INFO info_of(INDAdapter& adapter) {
    ND_ADAPTER_INFO info{};
    SIZE_T size = sizeof info;
    require(adapter.Query(ND_VERSION_1, &info, &size), ND_SUCCESS, "Query");
    return info;
}

inline ComPtr<INDCompletionQueue> completion_queue(INDAdapter& adapter, SIZE_T entries = 64) {
    ComPtr<INDCompletionQueue> queue;
    require(adapter.CreateCompletionQueue(entries, queue.put()), ND_SUCCESS, "CreateCompletionQueue");
    return queue;
}

inline ND_MR_HANDLE registered(INDAdapter& adapter, const void* memory, std::size_t bytes) {
    Request request;
    ND_MR_HANDLE handle = nullptr;
    require(finish(adapter.RegisterMemory(memory, bytes, request, &handle), request), ND_SUCCESS, "RegisterMemory");
    return handle;
}

inline HRESULT deregister(INDAdapter& adapter, ND_MR_HANDLE handle) {
    Request request;
    return finish(adapter.DeregisterMemory(handle, request), request);
}

inline ComPtr<INDConnector> connector(INDAdapter& adapter) {
    ComPtr<INDConnector> object;
    require(adapter.CreateConnector(object.put()), ND_SUCCESS, "CreateConnector");
    return object;
}

inline ComPtr<INDMemoryWindow> memory_window(INDAdapter& adapter, ND_RESULT* invalidated = nullptr) {
    support::skip_without(info_of(adapter).MaxWindowSize, "memory windows", "MaxWindowSize");
    ComPtr<INDMemoryWindow> window;
    require(adapter.CreateMemoryWindow(invalidated, window.put()), ND_SUCCESS, "CreateMemoryWindow");
    return window;
}

// The next result, or null if none comes in time.
inline ND_RESULT* next(INDCompletionQueue& queue, support::milliseconds limit = support::kDeadline) {
    ND_RESULT* result = nullptr;
    const bool came = support::wait_until([&] { return queue.GetResults(&result, 1) == 1; }, limit);
    return came ? result : nullptr;
}

inline ND_RESULT* none() { return nullptr; }

// Whether the next result is this one, with this status and as many bytes.
inline testing::AssertionResult comes(INDCompletionQueue& queue, const ND_RESULT& expected, HRESULT status,
                                      SIZE_T bytes = 0) {
    const ND_RESULT* const actual = next(queue);
    if (actual == nullptr) return testing::AssertionFailure() << "no result by the deadline";
    if (actual != &expected) return testing::AssertionFailure() << "another result came";
    if (actual->Status == status && actual->BytesTransferred == bytes) return testing::AssertionSuccess();
    return testing::AssertionFailure() << support::status_text(actual->Status) << ", " << actual->BytesTransferred
                                       << " bytes; expected " << support::status_text(status) << ", " << bytes;
}

struct EndpointSizes {
    SIZE_T inbound = 16, outbound = 16;
    SIZE_T inbound_sge = 4, outbound_sge = 4;
    SIZE_T inbound_reads = 16, outbound_reads = 16;
};

struct Side {
    explicit Side(const EndpointSizes& sizes = {}, std::size_t memory_bytes = 64 * 1024)
        : memory(memory_bytes), mr(registered(*adapter.get(), memory.data(), memory_bytes)) {
        // Where a Read has fewer entries, endpoints have as few.
        const SIZE_T outbound_sge = std::min<SIZE_T>(sizes.outbound_sge, info_of(*adapter.get()).MaxOutboundSge);
        require(connector->CreateEndpoint(inbound.get(), outbound.get(), sizes.inbound, sizes.outbound,
                                          sizes.inbound_sge, outbound_sge, sizes.inbound_reads, sizes.outbound_reads,
                                          &inline_limit, endpoint.put()),
                ND_SUCCESS, "CreateEndpoint");
    }

    ND_SGE piece(std::size_t offset, std::size_t bytes) const { return {memory.data() + offset, bytes, mr}; }
    HRESULT send(ND_RESULT& result, std::size_t bytes = 0, DWORD flags = 0) {
        const ND_SGE sge = piece(0, bytes);
        return endpoint->Send(&result, &sge, bytes != 0 ? 1 : 0, flags);
    }
    HRESULT receive(ND_RESULT& result, std::size_t bytes = 0) {
        const ND_SGE sge = piece(0, bytes);
        return endpoint->Receive(&result, &sge, bytes != 0 ? 1 : 0);
    }

    support::Buffer memory;  // outlives the adapter, which has it registered
    ComPtr<INDAdapter> adapter = open_adapter();
    ComPtr<INDCompletionQueue> inbound = completion_queue(*adapter.get());
    ComPtr<INDCompletionQueue> outbound = completion_queue(*adapter.get());
    ND_MR_HANDLE mr;
    ComPtr<INDConnector> connector = nd1::connector(*adapter.get());
    SIZE_T inline_limit = ~SIZE_T{0};
    ComPtr<INDEndpoint> endpoint;
};

struct Listening {
    explicit Listening(INDAdapter& adapter, SIZE_T backlog = 0) {
        USHORT port = 0;
        require(adapter.Listen(backlog, kProtocol, 0, &port, object.put()), ND_SUCCESS, "Listen");
        address = loopback_address();
        address.ipv4.sin_port = port;  // network order as it is (ND1-AD-LSN-05)
    }
    ComPtr<INDListen> object;
    SocketAddress address{};
};

inline HRESULT connect(Side& side, const SocketAddress& to, Request& request, const void* data = nullptr,
                       SIZE_T bytes = 0) {
    return side.connector->Connect(side.endpoint.get(), as_sockaddr(to), sizeof to, kProtocol, 0, data, bytes, request);
}

// Each step runs those before it and returns *this; a step that fails throws.
struct Pair {
    explicit Pair(const EndpointSizes& active = {}, const EndpointSizes& passive = {}) : a(active), b(passive) {}

    Pair& requested(const void* data = nullptr, SIZE_T bytes = 0) {
        Request waiting;
        const HRESULT begun = listening.object->GetConnectionRequest(b.connector.get(), waiting);
        require(connect(a, listening.address, connecting, data, bytes), ND_PENDING, "Connect");
        require(finish(begun, waiting), ND_SUCCESS, "GetConnectionRequest");
        return *this;
    }
    Pair& replied(const void* data = nullptr, SIZE_T bytes = 0) {
        requested();
        require(b.connector->Accept(b.endpoint.get(), data, bytes, accepting), ND_PENDING, "Accept");
        require(connecting.wait(), ND_SUCCESS, "Connect");
        return *this;
    }
    Pair& connected() {
        replied();
        Request completing;
        require(finish(a.connector->CompleteConnect(completing), completing), ND_SUCCESS, "CompleteConnect");
        require(accepting.wait(), ND_SUCCESS, "Accept");
        return *this;
    }

    Request connecting, accepting;  // outlive the connectors
    Side a, b;
    Listening listening{*b.adapter.get()};
};

// Queues that are made meanwhile overrun. A test that is skipped or fails in the middle leaves the rule as it was, too.
class StrictOverrun {
public:
    StrictOverrun() { require(opennd_overrun_select("strict"), ND_SUCCESS, "opennd_overrun_select"); }
    StrictOverrun(const StrictOverrun&) = delete;
    StrictOverrun& operator=(const StrictOverrun&) = delete;
    ~StrictOverrun() { EXPECT_TRUE(is(opennd_overrun_select(nullptr), ND_SUCCESS)); }
};

class Nd1Test : public testing::TestWithParam<Variant> {
protected:
    // Of a side whose peer has failed. Some devices tell that as an end in order, after which receives stay until the side's own Flush
    // (ND1-EP-GEN-21).
    static void flush_if_it_outlives(Side& side) {
        if (!outlives_failures(GetParam())) return;
        EXPECT_EQ(next(*side.inbound.get(), support::milliseconds(50)), none()) << "stays pending";
        EXPECT_TRUE(is(side.endpoint->Flush(), ND_SUCCESS));
    }

private:
    PinnedTransport transport_{GetParam().transport};
    support::Startup startup_;
};

}  // namespace opennd::conformance::nd1

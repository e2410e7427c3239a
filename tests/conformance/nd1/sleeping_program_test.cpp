// SPDX-License-Identifier: MIT
//
// A conversation as one of the two published programs of version 1 has it (scenario 1 of 7.5, rows ND1-CL-01 to -45): it
// sleeps at a port, one queue takes everything, results are the heads of larger records, windows are passed around.
#include <cstring>
#include <functional>

#include "conformance/nd1/packets.h"
#include "support/tested_device.h"

namespace opennd::conformance::nd1 {
namespace {

constexpr std::size_t kReceives = 64, kSends = 16, kOthers = 48;  // of an endpoint (ND1-CL-20)
constexpr std::size_t kSlot = 256;
constexpr std::size_t kCallerData = 28, kCalleeData = 1;  // ND1-CL-28
constexpr std::size_t kWindow = 64 * 1024;

// The program's own, behind the result (ND1-CL-21).
struct Posted {
    ND_RESULT result;
    std::size_t number;
};

// The list is asked for until it fits, and names the address (ND1-CL-01, -02).
ComPtr<INDAdapter> adapter_from_the_list() {
    std::vector<std::byte> list;
    SIZE_T bytes = 0;
    HRESULT status;
    while ((status = NdQueryAddressList(ND_QUERY_EXCLUDE_NDv2_ADDRESSES,
                                        reinterpret_cast<SOCKET_ADDRESS_LIST*>(list.empty() ? nullptr : list.data()),
                                        &bytes)) == ND_BUFFER_OVERFLOW)
        list.resize(bytes);
    require(status, ND_SUCCESS, "NdQueryAddressList");
    const auto& found = *reinterpret_cast<const SOCKET_ADDRESS_LIST*>(list.data());
    SocketAddress address = loopback_address();  // which is listed only where there is no other
    for (INT i = 0; i < found.iAddressCount; ++i) {
        SocketAddress listed;
        std::memcpy(as_sockaddr(listed), found.Address[i].lpSockaddr,
                    static_cast<std::size_t>(found.Address[i].iSockaddrLength));
        if (listed.same_host(address)) address = listed;
    }
    ComPtr<INDAdapter> adapter;
    require(NdOpenV1Adapter(as_sockaddr(address), sizeof address, adapter.put()), S_OK, "NdOpenV1Adapter");
    return adapter;
}

// Waits without a packet: bit 0 of the event says so, and it is closed with that bit set (ND1-CL-13).
HRESULT wait_aside(INDAdapter& adapter, const std::function<HRESULT(OVERLAPPED*)>& begin) {
    OVERLAPPED request;
    HANDLE event = nullptr;
    require(opennd_event_create(TRUE, FALSE, &event), ND_SUCCESS, "opennd_event_create");
    request.hEvent = reinterpret_cast<HANDLE>(reinterpret_cast<std::uintptr_t>(event) | 1);
    request.Internal = 0;
    SIZE_T bytes = 0;
    HRESULT status = begin(&request);
    if (status == ND_PENDING) status = adapter.GetOverlappedResult(&request, &bytes, TRUE);
    EXPECT_TRUE(is(opennd_handle_close(request.hEvent), ND_SUCCESS));
    return status;
}

struct Program {
    Program() {
        ND_ADAPTER_INFO info;
        SIZE_T bytes = 128;  // exactly (ND1-CL-04)
        require(adapter->Query(1, &info, &bytes), ND_SUCCESS, "Query");
        require(adapter->CreateCompletionQueue(128, queue.put()), ND_SUCCESS, "CreateCompletionQueue");
        require(wait_aside(*adapter.get(),
                           [&](OVERLAPPED* request) {
                               return adapter->RegisterMemory(memory.data(), memory.size(), request, &mr);
                           }),
                ND_SUCCESS, "RegisterMemory");
    }

    // Receives go before the connection, in a batch, with one entry that changes between the posts (ND1-CL-25).
    void make_endpoint() {
        require(connector->CreateEndpoint(queue.get(), queue.get(), kReceives, kSends + kOthers, 1, 1, 16, 16, nullptr,
                                          endpoint.put()),
                ND_SUCCESS, "CreateEndpoint");
        endpoint->StartRequestBatch();
        ND_SGE sge{nullptr, kSlot, mr};
        for (std::size_t i = 0; i < kReceives; ++i) {
            receives[i].number = i;
            sge.pAddr = memory.data() + i * kSlot;
            require(endpoint->Receive(&receives[i].result, &sge, 1), ND_SUCCESS, "Receive");
        }
        endpoint->SubmitRequestBatch();
    }

    ND_SGE own(std::size_t offset, SIZE_T bytes) const {
        return {memory.data() + kReceives * kSlot + offset, bytes, mr};
    }

    HRESULT send(ND_RESULT& result, const void* message, SIZE_T bytes) {
        const ND_SGE sge = own(0, bytes);
        std::memcpy(sge.pAddr, message, bytes);
        return endpoint->Send(&result, &sge, 1, ND_OP_FLAG_READ_FENCE);  // each of them (ND1-CL-35)
    }

    // One result at a time; Notify only after a poll that gave none, at most one (ND1-CL-21, -22).
    ND_RESULT* next() {
        for (;;) {
            ND_RESULT* result = nullptr;
            if (queue->GetResults(&result, 1) == 1) return result;
            Stale notified;
            if (packets.finish(queue->Notify(ND_CQ_NOTIFY_ANY, &notified), notified) != ND_SUCCESS) return nullptr;
        }
    }

    support::Buffer memory{kReceives * kSlot + 2 * kWindow};  // outlives a registration that is left to the adapter
    ComPtr<INDAdapter> adapter = adapter_from_the_list();
    Packets packets{*adapter.get()};
    ComPtr<INDCompletionQueue> queue;
    ND_MR_HANDLE mr = nullptr;
    ComPtr<INDConnector> connector = nd1::connector(*adapter.get());
    std::array<Posted, kReceives> receives;  // outlive the endpoint
    ComPtr<INDEndpoint> endpoint;
};

class SleepingProgram : public Nd1Test {
protected:
    void connect() {
        USHORT port = 0;
        require(b.adapter->Listen(0, 123, 0, &port, listen.put()), ND_SUCCESS, "Listen");
        require_begun(listen->GetConnectionRequest(b.connector.get(), &requested));
        a.make_endpoint();
        SocketAddress address = loopback_address();
        address.ipv4.sin_port = port;  // raw (ND1-CL-03)
        Stale connecting, accepting, completing;
        const std::array<char, kCallerData> card{"who I am"};
        const HRESULT begun = a.connector->Connect(a.endpoint.get(), as_sockaddr(address), sizeof address, 123, 0,
                                                   card.data(), card.size(), &connecting);
        ASSERT_TRUE(is(b.packets.finish(ND_PENDING, requested), ND_SUCCESS));
        require_begun(listen->GetConnectionRequest(another.get(), &requested));  // the next one (ND1-CL-06)
        expect_request(card);
        b.make_endpoint();
        const std::byte yes{1};
        const HRESULT accepted = b.connector->Accept(b.endpoint.get(), &yes, kCalleeData, &accepting);
        ASSERT_TRUE(is(a.packets.finish(begun, connecting), ND_SUCCESS));
        ASSERT_TRUE(is(a.packets.finish(a.connector->CompleteConnect(&completing), completing), ND_SUCCESS));
        // From the handler of that completion, and perhaps before Accept has completed (ND1-CL-32, -34).
        ASSERT_TRUE(is(a.send(a_sent.result, "hello", 6), ND_SUCCESS));
        EXPECT_EQ(b.next(), &b.receives[0].result);
        EXPECT_EQ(b.receives[0].result.BytesTransferred, 6u);
        EXPECT_STREQ(reinterpret_cast<const char*>(b.memory.data()), "hello");
        EXPECT_TRUE(is(b.packets.finish(accepted, accepting), ND_SUCCESS));
        EXPECT_EQ(a.next(), &a_sent.result);
    }

    // Before there is an endpoint for it (ND1-CL-07, -08).
    void expect_request(const std::array<char, kCallerData>& card) {
        std::array<char, 8> said{};
        SIZE_T bytes = said.size(), in = 0, out = 0;
        EXPECT_TRUE(is(b.connector->GetConnectionData(&in, &out, said.data(), &bytes), ND_BUFFER_OVERFLOW));
        EXPECT_EQ(bytes, support::arriving_private_data(kCallerData, 56));
        EXPECT_TRUE(std::equal(said.begin(), said.end(), card.begin()));
        EXPECT_EQ(in, 16u);
        EXPECT_EQ(out, 16u);
        SocketAddress peer{};
        SIZE_T size = sizeof peer;
        EXPECT_TRUE(is(b.connector->GetPeerAddress(as_sockaddr(peer), &size), ND_SUCCESS));
    }

    static void require_begun(HRESULT status) { require(FAILED(status) ? status : ND_SUCCESS, ND_SUCCESS, "begin"); }

    Program a, b;
    Posted a_sent, b_sent;
    Stale requested;  // outlives the listener
    ComPtr<INDConnector> another = connector(*b.adapter.get());
    ComPtr<INDListen> listen;
};

TEST_P(SleepingProgram, PassesWindowsAround) {
    proves("ND1-OV-04", "ND1-OV-07", "ND1-CQ-NTF-05", "ND1-EP-BIND-08", "ND1-EP-BIND-09", "ND1-RES-05", "ND1-RES-09",
           "ND1-CQ-GR-03", "ND1-EP-GEN-16");
    ASSERT_NO_FATAL_FAILURE(connect());
    ND_RESULT invalidated;
    const auto window = memory_window(*b.adapter.get(), &invalidated);
    for (std::size_t round = 1; round <= 3; ++round) {
        // Bind, and the Send of the descriptor at once (ND1-CL-36).
        Posted bound;
        ND_MW_DESCRIPTOR descriptor;
        const ND_SGE granted = b.own(kWindow, kWindow);
        fill_pattern({static_cast<std::byte*>(granted.pAddr), kWindow}, round);
        ASSERT_TRUE(is(b.endpoint->Bind(&bound.result, b.mr, window.get(), granted.pAddr, kWindow,
                                        ND_OP_FLAG_ALLOW_READ, &descriptor),
                       ND_SUCCESS));
        ASSERT_TRUE(is(b.send(b_sent.result, &descriptor, sizeof descriptor), ND_SUCCESS));
        EXPECT_EQ(b.next(), &bound.result);
        EXPECT_EQ(b.next(), &b_sent.result);
        ASSERT_EQ(a.next(), &a.receives[round - 1].result);
        ASSERT_EQ(a.receives[round - 1].result.BytesTransferred, sizeof descriptor);
        // As many Reads as the limit allows, each of a part (ND1-CL-38).
        const auto* const theirs = reinterpret_cast<const ND_MW_DESCRIPTOR*>(a.memory.data() + (round - 1) * kSlot);
        std::array<Posted, 16> reads;
        constexpr SIZE_T kPart = kWindow / reads.size();
        for (std::size_t i = 0; i < reads.size(); ++i) {
            const ND_SGE part = a.own(kWindow + i * kPart, kPart);
            ASSERT_TRUE(is(a.endpoint->Read(&reads[i].result, &part, 1, theirs, i * kPart, 0), ND_SUCCESS));
        }
        for (const Posted& read : reads) {
            EXPECT_EQ(a.next(), &read.result);
            EXPECT_TRUE(is(read.result.Status, ND_SUCCESS));
        }
        EXPECT_TRUE(has_pattern({static_cast<std::byte*>(a.own(kWindow, 0).pAddr), kWindow}, round));
        // A new Receive from inside the handling of the result, and the word that it is done (ND1-CL-42).
        const ND_SGE again{a.memory.data() + (round - 1) * kSlot, kSlot, a.mr};
        ASSERT_TRUE(is(a.endpoint->Receive(&a.receives[round - 1].result, &again, 1), ND_SUCCESS));
        ASSERT_TRUE(is(a.send(a_sent.result, "done", 5), ND_SUCCESS));
        EXPECT_EQ(b.next(), &b.receives[round].result);
        EXPECT_EQ(a.next(), &a_sent.result);
        // The window's own result serves for taking it back, and comes once (ND1-CL-37).
        ASSERT_TRUE(is(b.endpoint->Invalidate(&invalidated, window.get(), 0), ND_SUCCESS));
        EXPECT_EQ(b.next(), &invalidated);
        EXPECT_TRUE(is(invalidated.Status, ND_SUCCESS));
    }
}

TEST_P(SleepingProgram, LeavesWithEverythingStillOutstanding) {
    proves("ND1-CN-DISC-01", "ND1-CN-DISC-05", "ND1-CN-NDISC-05", "ND1-EP-FLUSH-04", "ND1-MW-09", "ND1-AD-DRG-03",
           "ND1-OV-CXL-05", "ND1-OV-CXL-10", "ND1-OV-CXL-11");
    ASSERT_NO_FATAL_FAILURE(connect());
    const auto window = memory_window(*a.adapter.get());
    Posted bound;
    ND_MW_DESCRIPTOR descriptor;
    const ND_SGE granted = a.own(kWindow, kWindow);
    ASSERT_TRUE(is(
        a.endpoint->Bind(&bound.result, a.mr, window.get(), granted.pAddr, kWindow, ND_OP_FLAG_ALLOW_READ, &descriptor),
        ND_SUCCESS));
    EXPECT_EQ(a.next(), &bound.result);
    for (Program* side : {&a, &b}) {
        Stale ending;
        ASSERT_TRUE(is(side->packets.finish(side->connector->Disconnect(&ending), ending), ND_SUCCESS));
        for (std::size_t i = side == &a ? 0 : 1; i < kReceives; ++i) {
            EXPECT_EQ(side->next(), &side->receives[i].result);
            EXPECT_TRUE(is(side->receives[i].result.Status, ND_CANCELED)) << "ND1-CL-39";
        }
        EXPECT_TRUE(is(side->connector->Disconnect(&ending), ND_CONNECTION_INVALID));
        EXPECT_TRUE(is(side->endpoint->Flush(), ND_SUCCESS)) << "instead, without a packet (ND1-CL-40)";
        EXPECT_TRUE(side->packets.none());
    }
    // The registration goes before the window that lay on it (ND1-CL-43).
    EXPECT_TRUE(
        is(wait_aside(*a.adapter.get(), [&](OVERLAPPED* end) { return a.adapter->DeregisterMemory(a.mr, end); }),
           ND_SUCCESS));
    // Cancelled, released, and the memory freed with the packets still in the port (ND1-CL-15, -16).
    auto waiting = std::make_unique<Stale>();
    ASSERT_TRUE(is(b.queue->Notify(ND_CQ_NOTIFY_ANY, waiting.get()), ND_PENDING));
    EXPECT_TRUE(is(b.queue->CancelOverlappedRequests(), ND_SUCCESS));
    EXPECT_TRUE(is(listen->CancelOverlappedRequests(), ND_SUCCESS));
    SIZE_T bytes = 0;
    EXPECT_TRUE(is(b.queue->GetOverlappedResult(waiting.get(), &bytes, FALSE), ND_CANCELED));
    EXPECT_TRUE(is(listen->GetOverlappedResult(&requested, &bytes, FALSE), ND_CANCELED));
    EXPECT_EQ(listen.reset(), 0u);
    waiting.reset();
}

INSTANTIATE_TEST_SUITE_P(, SleepingProgram, testing::ValuesIn(variants_of("Nd1")), variant_name);

}  // namespace
}  // namespace opennd::conformance::nd1

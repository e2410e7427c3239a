// SPDX-License-Identifier: MIT
//
// A conversation as the other published program of version 1 has it (scenario 2 of 7.5, rows ND1-CL-50 to -65): it loads the
// provider itself, takes all that the adapter has, never asks to be notified, and its passive side sends first.
#include "conformance/nd1/packets.h"
#include "support/tested_device.h"

namespace opennd::conformance::nd1 {
namespace {

constexpr INT kItsProtocol = 234;
constexpr std::size_t kPieces = 16, kPiece = 512;
constexpr std::size_t kReceives = 4;

// By the class factory; the list's size is asked for with nothing, which must be too little (ND1-CL-50, -51).
ComPtr<INDAdapter> adapter_from_the_provider() {
    ComPtr<IClassFactory> factory;
    require(DllGetClassObject(CLSID_OpenNDProvider, IID_IClassFactory, factory.out()), S_OK, "DllGetClassObject");
    ComPtr<INDProvider> provider;
    require(factory->CreateInstance(nullptr, IID_INDProvider, provider.out()), S_OK, "CreateInstance");
    SIZE_T bytes = 0;
    require(provider->QueryAddressList(nullptr, &bytes), ND_BUFFER_OVERFLOW, "QueryAddressList");
    std::vector<std::byte> list(bytes);
    require(provider->QueryAddressList(reinterpret_cast<SOCKET_ADDRESS_LIST*>(list.data()), &bytes), ND_SUCCESS,
            "QueryAddressList");
    const SocketAddress address = loopback_address();
    ComPtr<INDAdapter> adapter;
    require(provider->OpenAdapter(as_sockaddr(address), sizeof address, adapter.put()), ND_SUCCESS, "OpenAdapter");
    return adapter;
}

struct Program {
    Program() {
        const ND_ADAPTER_INFO info = info_of(*adapter.get());
        support::skip_without(info.MaxOutboundSge >= kPieces, "requests with several entries", "MaxOutboundSge");
        const SIZE_T entries = std::min(info.MaxCqEntries, 10 * (info.MaxInboundRequests + info.MaxOutboundRequests));
        require(adapter->CreateCompletionQueue(entries, queue.put()), ND_SUCCESS, "CreateCompletionQueue");
        Stale request;
        require(packets.finish(adapter->RegisterMemory(memory.data(), memory.size(), &request, &mr), request),
                ND_SUCCESS, "RegisterMemory");
        require(connector->CreateEndpoint(queue.get(), queue.get(), info.MaxInboundRequests, info.MaxOutboundRequests,
                                          kPieces, kPieces, 1, 1, nullptr, endpoint.put()),
                ND_SUCCESS, "CreateEndpoint");
        post_receives();
    }

    // In a batch, with one entry that is used again and again (ND1-CL-65).
    void post_receives() {
        ND_SGE sge{nullptr, kPiece, mr};
        endpoint->StartRequestBatch();
        for (std::size_t i = 0; i < kReceives; ++i) {
            sge.pAddr = memory.data() + i * kPiece;
            require(endpoint->Receive(&receives[i], &sge, 1), ND_SUCCESS, "Receive");
        }
        endpoint->SubmitRequestBatch();
    }

    std::byte* own() const { return memory.data() + kReceives * kPiece; }
    HRESULT send(const void* message, SIZE_T bytes) {
        std::memcpy(own(), message, bytes);
        const ND_SGE sge{own(), bytes, mr};
        return endpoint->Send(&sent, &sge, 1, 0);
    }
    // By polling alone, one entry at a time (ND1-CL-62).
    testing::AssertionResult gets(const ND_RESULT& result, SIZE_T bytes = 0) {
        return comes(*queue.get(), result, ND_SUCCESS, bytes);
    }

    ComPtr<INDAdapter> adapter = adapter_from_the_provider();
    Packets packets{*adapter.get()};
    ComPtr<INDCompletionQueue> queue;
    support::Buffer memory{kReceives * kPiece + 2 * kPieces * kPiece};
    ND_MR_HANDLE mr = nullptr;
    std::array<ND_RESULT, kReceives> receives;
    ND_RESULT sent;
    ComPtr<INDConnector> connector = nd1::connector(*adapter.get());
    ComPtr<INDEndpoint> endpoint;
};

class PollingProgram : public Nd1Test {
protected:
    void connect() {
        USHORT port = 0;
        require(b.adapter->Listen(0, kItsProtocol, 0, &port, listen.put()), ND_SUCCESS, "Listen");
        Stale requested, connecting, accepting, completing;
        const HRESULT waiting = listen->GetConnectionRequest(b.connector.get(), &requested);
        SocketAddress address = loopback_address();
        address.ipv4.sin_port = port;
        std::string card = "my card";
        const HRESULT begun = a.connector->Connect(a.endpoint.get(), as_sockaddr(address), sizeof address, kItsProtocol,
                                                   0, card.data(), card.size(), &connecting);
        card.assign("only needed during the call");  // ND1-CL-64
        ASSERT_TRUE(is(b.packets.finish(waiting, requested), ND_SUCCESS));
        SIZE_T bytes = 0;  // asked for first, then with the exact size (ND1-CL-55)
        ASSERT_TRUE(is(b.connector->GetConnectionData(nullptr, nullptr, nullptr, &bytes), ND_BUFFER_OVERFLOW));
        std::string said(bytes, '\0');
        ASSERT_TRUE(is(b.connector->GetConnectionData(nullptr, nullptr, said.data(), &bytes), ND_SUCCESS));
        EXPECT_EQ(said.size(), support::arriving_private_data(7, 56));
        said.resize(7);
        EXPECT_EQ(said, "my card");
        const HRESULT accepted = b.connector->Accept(b.endpoint.get(), nullptr, 0, &accepting);
        ASSERT_TRUE(is(a.packets.finish(begun, connecting), ND_SUCCESS));
        ASSERT_TRUE(is(a.packets.finish(a.connector->CompleteConnect(&completing), completing), ND_SUCCESS));
        ASSERT_TRUE(is(b.packets.finish(accepted, accepting), ND_SUCCESS));
    }

    Program a, b;
    ComPtr<INDListen> listen;
};

TEST_P(PollingProgram, SpeaksFirstFromThePassiveSideAndReadsInPieces) {
    proves("ND1-CN-FMR-02", "ND1-CN-FMR-03", "ND1-CQ-GR-05", "ND1-AD-QRY-09", "ND1-EP-READ-11", "ND1-EP-BIND-01",
           "ND1-EP-INV-02", "ND1-OV-04", "ND1-CN-DISC-08", "ND1-RES-08");
    ASSERT_NO_FATAL_FAILURE(connect());
    ASSERT_TRUE(is(b.send("welcome", 8), ND_SUCCESS));
    EXPECT_TRUE(a.gets(a.receives[0], 8));
    EXPECT_TRUE(b.gets(b.sent, 8));

    // a binds and waits for it, b reads into sixteen pieces, fenced (ND1-CL-59, -60).
    constexpr SIZE_T kBytes = kPieces * kPiece;
    std::byte* const granted = a.own() + kBytes;
    fill_pattern({granted, kBytes}, 7);
    const auto window = memory_window(*a.adapter.get());
    ND_RESULT bound, read, taken;
    ND_MW_DESCRIPTOR descriptor;
    ASSERT_TRUE(is(a.endpoint->Bind(&bound, a.mr, window.get(), granted, kBytes,
                                    ND_OP_FLAG_READ_FENCE | ND_OP_FLAG_ALLOW_READ, &descriptor),
                   ND_SUCCESS));
    EXPECT_TRUE(a.gets(bound));
    ASSERT_TRUE(is(a.send(&descriptor, sizeof descriptor), ND_SUCCESS));
    EXPECT_TRUE(a.gets(a.sent, sizeof descriptor));
    ASSERT_TRUE(b.gets(b.receives[0], sizeof descriptor));
    const auto* const theirs = reinterpret_cast<const ND_MW_DESCRIPTOR*>(b.memory.data());
    std::array<ND_SGE, kPieces> pieces;
    for (std::size_t i = 0; i < kPieces; ++i)  // the last one first
        pieces[i] = {b.own() + (kPieces - 1 - i) * kPiece, kPiece, b.mr};
    ASSERT_TRUE(is(b.endpoint->Read(&read, pieces.data(), kPieces, theirs, 0, ND_OP_FLAG_READ_FENCE), ND_SUCCESS));
    ASSERT_TRUE(b.gets(read, kBytes));
    for (std::size_t i = 0; i < kPieces; ++i)
        EXPECT_EQ(std::memcmp(pieces[i].pAddr, granted + i * kPiece, kPiece), 0) << "piece " << i;
    ASSERT_TRUE(is(a.endpoint->Invalidate(&taken, window.get(), ND_OP_FLAG_READ_FENCE), ND_SUCCESS));
    EXPECT_TRUE(a.gets(taken));

    // The endpoint goes first, then the connector (ND1-CL-63).
    for (Program* side : {&a, &b}) {
        Stale ending, end;
        EXPECT_TRUE(is(side->packets.finish(side->connector->Disconnect(&ending), ending), ND_SUCCESS));
        EXPECT_EQ(side->endpoint.reset(), 0u);
        EXPECT_EQ(side->connector.reset(), 0u);
        EXPECT_TRUE(is(side->packets.finish(side->adapter->DeregisterMemory(side->mr, &end), end), ND_SUCCESS));
    }
}

INSTANTIATE_TEST_SUITE_P(, PollingProgram, testing::ValuesIn(variants_of("Nd1")), variant_name);

}  // namespace
}  // namespace opennd::conformance::nd1

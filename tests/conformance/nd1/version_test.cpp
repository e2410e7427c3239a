// SPDX-License-Identifier: MIT
//
// Version 1 at one end and version 2 at the other: they are faces of one core, so that a program of either connects to
// one of the other, and uses its memory by tokens and windows. Both ends of one process side by side.
#include <cstring>

#include "conformance/nd1/nd1_test.h"
#include "support/overlapped_request.h"
#include "support/tested_device.h"

namespace opennd::conformance {
namespace {

using nd1::comes;
using nd1::Request;
using nd1::Side;
using support::ComPtr;
using support::finish;
using support::is;
using support::OverlappedRequest;
using support::require;

// One end of version 2, on the adapter of the same address.
struct Second {
    Second() {
        require(adapter->CreateOverlappedFile(&file), ND_SUCCESS, "CreateOverlappedFile");
        require(adapter->CreateCompletionQueue(IID_IND2CompletionQueue, file, 64, 0, 0, queue.out()), ND_SUCCESS,
                "CreateCompletionQueue");
        require(adapter->CreateQueuePair(IID_IND2QueuePair, queue.get(), queue.get(), nullptr, 16, 16, 4, 4, 64,
                                         queue_pair.out()),
                ND_SUCCESS, "CreateQueuePair");
        require(adapter->CreateConnector(IID_IND2Connector, file, connector.out()), ND_SUCCESS, "CreateConnector");
        require(adapter->CreateListener(IID_IND2Listener, file, listener.out()), ND_SUCCESS, "CreateListener");
        require(adapter->CreateMemoryRegion(IID_IND2MemoryRegion, file, region.out()), ND_SUCCESS,
                "CreateMemoryRegion");
        OverlappedRequest request;
        require(finish(region->Register(
                           memory.data(), memory.size(),
                           ND_MR_FLAG_ALLOW_REMOTE_READ | ND_MR_FLAG_ALLOW_REMOTE_WRITE | ND_MR_FLAG_ALLOW_LOCAL_WRITE,
                           request.get()),
                       request, region.get()),
                ND_SUCCESS, "Register");
    }
    ~Second() { opennd_handle_close(file); }

    ND2_SGE piece(std::size_t offset, ULONG bytes) { return {memory.data() + offset, bytes, region->GetLocalToken()}; }
    ND2_RESULT next() {
        ND2_RESULT result{};
        if (!support::wait_until([&] { return queue->GetResults(&result, 1) == 1; })) result.Status = ND_PENDING;
        return result;
    }

    ComPtr<IND2Adapter> adapter = support::open_loopback_adapter();
    HANDLE file = nullptr;
    support::Buffer memory{64 * 1024};
    ComPtr<IND2CompletionQueue> queue;
    ComPtr<IND2QueuePair> queue_pair;
    ComPtr<IND2Connector> connector;
    ComPtr<IND2Listener> listener;
    ComPtr<IND2MemoryRegion> region;
};

enum class Active { first, second };

class Versions : public testing::TestWithParam<std::tuple<Variant, Active>> {
protected:
    void SetUp() override { std::get<1>(GetParam()) == Active::first ? first_connects() : second_connects(); }

    void first_connects() {
        SocketAddress address = nd1::loopback_address();
        ULONG size = sizeof address;
        require(second.listener->Bind(support::as_sockaddr(address), sizeof address), ND_SUCCESS, "Bind");
        require(second.listener->Listen(0), ND_SUCCESS, "Listen");
        require(second.listener->GetLocalAddress(support::as_sockaddr(address), &size), ND_SUCCESS, "GetLocalAddress");
        OverlappedRequest waiting, accepting;
        require(second.listener->GetConnectionRequest(second.connector.get(), waiting.get()), ND_PENDING, "request");
        Request connecting, completing;
        require(nd1::connect(first, address, connecting, "one", 3), ND_PENDING, "Connect");
        require(finish(ND_PENDING, waiting, second.connector.get()), ND_SUCCESS, "GetConnectionRequest");
        char said[256];
        ULONG bytes = sizeof said;
        require(second.connector->GetPrivateData(said, &bytes), ND_SUCCESS, "GetPrivateData");
        expect_data({said, bytes}, "one", 56);
        require(second.connector->Accept(second.queue_pair.get(), 16, 16, "two", 3, accepting.get()), ND_PENDING,
                "Accept");
        require(connecting.wait(), ND_SUCCESS, "Connect");
        SIZE_T length = sizeof said;
        require(first.connector->GetConnectionData(nullptr, nullptr, said, &length), ND_SUCCESS, "GetConnectionData");
        expect_data({said, length}, "two", 148);
        require(nd1::finish(first.connector->CompleteConnect(completing), completing), ND_SUCCESS, "CompleteConnect");
        require(finish(ND_PENDING, accepting, second.connector.get()), ND_SUCCESS, "Accept");
    }

    // Some devices carry zeros behind it, up to the room that their message has.
    static void expect_data(std::string_view said, std::string_view sent, std::size_t room) {
        EXPECT_EQ(said.size(), support::arriving_private_data(sent.size(), room));
        EXPECT_EQ(said.substr(0, sent.size()), sent);
        EXPECT_EQ(said.find_first_not_of('\0', sent.size()), said.npos);
    }

    void second_connects() {
        const nd1::Listening listening(*first.adapter.get());
        const SocketAddress any = nd1::loopback_address();
        Request waiting, accepting;
        OverlappedRequest connecting, completing;
        const HRESULT begun = listening.object->GetConnectionRequest(first.connector.get(), waiting);
        require(second.connector->Bind(support::as_sockaddr(any), sizeof any), ND_SUCCESS, "Bind");
        require(second.connector->Connect(second.queue_pair.get(), support::as_sockaddr(listening.address),
                                          sizeof listening.address, 16, 16, nullptr, 0, connecting.get()),
                ND_PENDING, "Connect");
        require(nd1::finish(begun, waiting), ND_SUCCESS, "GetConnectionRequest");
        require(first.connector->Accept(first.endpoint.get(), nullptr, 0, accepting), ND_PENDING, "Accept");
        require(finish(ND_PENDING, connecting, second.connector.get()), ND_SUCCESS, "Connect");
        require(finish(second.connector->CompleteConnect(completing.get()), completing, second.connector.get()),
                ND_SUCCESS, "CompleteConnect");
        require(accepting.wait(), ND_SUCCESS, "Accept");
    }

private:
    PinnedTransport transport_{std::get<0>(GetParam()).transport};
    support::Startup startup_;

protected:
    Side first;
    Second second;
};

TEST_P(Versions, ExchangeMessages) {
    provokes("CHECK-OTHER-OBJECT");
    proves("ND1-FW-08", "ND1-COM-12");
    for (const std::size_t bytes : {std::size_t{0}, std::size_t{64}, std::size_t{40'000}}) {
        support::fill_pattern(first.memory.bytes(), bytes);
        ND_RESULT sent, received;
        ND2_SGE target = second.piece(0, 50'000), source = second.piece(0, static_cast<ULONG>(bytes));
        ASSERT_TRUE(is(second.queue_pair->Receive(nullptr, &target, 1), ND_SUCCESS));
        ASSERT_TRUE(is(first.send(sent, bytes), ND_SUCCESS));
        EXPECT_EQ(second.next().BytesTransferred, bytes);
        EXPECT_TRUE(comes(*first.outbound.get(), sent, ND_SUCCESS, bytes));
        EXPECT_TRUE(support::has_pattern(second.memory.bytes(0, bytes), bytes));
        ASSERT_TRUE(is(first.receive(received, 50'000), ND_SUCCESS));
        ASSERT_TRUE(is(second.queue_pair->Send(nullptr, &source, 1, 0), ND_SUCCESS));
        EXPECT_TRUE(comes(*first.inbound.get(), received, ND_SUCCESS, bytes));
        EXPECT_TRUE(is(second.next().Status, ND_SUCCESS));
    }
}

TEST_P(Versions, Version2UsesAWindowOfVersion1) {
    provokes("CHECK-OTHER-OBJECT");
    proves("ND1-MW-13", "ND1-EP-BIND-08", "IW-ND-05");
    const auto window = nd1::memory_window(*first.adapter.get());
    ND_RESULT bound, invalidated;
    ND_MW_DESCRIPTOR descriptor;
    ASSERT_TRUE(is(first.endpoint->Bind(&bound, first.mr, window.get(), first.memory.data(), 4096,
                                        ND_OP_FLAG_ALLOW_READ | ND_OP_FLAG_ALLOW_WRITE, &descriptor),
                   ND_SUCCESS));
    ASSERT_TRUE(comes(*first.outbound.get(), bound, ND_SUCCESS));
    const UINT64 base = __builtin_bswap64(descriptor.Base);
    const UINT32 token = descriptor.Token;
    support::fill_pattern(first.memory.bytes(), 5);
    ND2_SGE sge = second.piece(0, 100);
    ASSERT_TRUE(is(second.queue_pair->Read(nullptr, &sge, 1, base + 10, token, 0), ND_SUCCESS));
    EXPECT_TRUE(is(second.next().Status, ND_SUCCESS));
    EXPECT_TRUE(support::has_pattern(second.memory.bytes(0, 100), 5, 10));
    ASSERT_TRUE(is(second.queue_pair->Write(nullptr, &sge, 1, base, token, 0), ND_SUCCESS));
    EXPECT_TRUE(is(second.next().Status, ND_SUCCESS));
    EXPECT_TRUE(support::has_pattern(first.memory.bytes(0, 100), 5, 10));
    ASSERT_TRUE(is(first.endpoint->Invalidate(&invalidated, window.get(), 0), ND_SUCCESS));
    ASSERT_TRUE(comes(*first.outbound.get(), invalidated, ND_SUCCESS));
    ASSERT_TRUE(is(second.queue_pair->Read(nullptr, &sge, 1, base, token, 0), ND_SUCCESS));
    EXPECT_TRUE(is(second.next().Status, ND_ACCESS_VIOLATION));
}

TEST_P(Versions, Version1UsesARegionAndAWindowOfVersion2) {
    provokes("CHECK-OTHER-OBJECT");
    proves("ND1-EP-READ-01", "ND1-EP-WRITE-01", "ND1-EP-SINV-01");
    support::fill_pattern(second.memory.bytes(), 9);
    ND_MW_DESCRIPTOR region{};
    region.Base = __builtin_bswap64(reinterpret_cast<std::uintptr_t>(second.memory.data()));
    region.Length = __builtin_bswap64(4096);
    region.Token = second.region->GetRemoteToken();
    const ND_SGE sge = first.piece(0, 100);
    ND_RESULT got, sent;
    ASSERT_TRUE(is(first.endpoint->Read(&got, &sge, 1, &region, 50, 0), ND_SUCCESS));
    EXPECT_TRUE(comes(*first.outbound.get(), got, ND_SUCCESS, 100));
    EXPECT_TRUE(support::has_pattern(first.memory.bytes(0, 100), 9, 50));

    support::skip_without(nd1::info_of(*first.adapter.get()).MaxWindowSize, "memory windows", "MaxWindowSize");
    ComPtr<IND2MemoryWindow> window;
    ASSERT_TRUE(is(second.adapter->CreateMemoryWindow(IID_IND2MemoryWindow, window.out()), ND_SUCCESS));
    ASSERT_TRUE(is(second.queue_pair->Bind(nullptr, second.region.get(), window.get(), second.memory.data(), 4096,
                                           ND_OP_FLAG_ALLOW_WRITE),
                   ND_SUCCESS));
    ASSERT_TRUE(is(second.next().Status, ND_SUCCESS));
    ND_MW_DESCRIPTOR bound = region;
    bound.Token = window->GetRemoteToken();
    ASSERT_TRUE(is(first.endpoint->Write(&got, &sge, 1, &bound, 0, 0), ND_SUCCESS));
    EXPECT_TRUE(comes(*first.outbound.get(), got, ND_SUCCESS, 100));
    ND2_SGE target = second.piece(8192, 64);
    ASSERT_TRUE(is(second.queue_pair->Receive(nullptr, &target, 1), ND_SUCCESS));
    ASSERT_TRUE(is(first.endpoint->SendAndInvalidate(&sent, nullptr, 0, &bound, 0), ND_SUCCESS));
    const ND2_RESULT received = second.next();
    EXPECT_TRUE(is(received.Status, ND_SUCCESS)) << "the one result that version 2 knows";
    EXPECT_EQ(received.RequestType, Nd2RequestTypeReceive);
    EXPECT_EQ(window->GetRemoteToken(), 0u) << "unbound (ND2-MW-08)";
    EXPECT_TRUE(comes(*first.outbound.get(), sent, ND_SUCCESS));
}

TEST_P(Versions, EndAsEachVersionHasIt) {
    provokes("CHECK-OTHER-OBJECT");
    proves("ND1-CN-NDISC-04", "ND1-EP-GEN-21", "ND1-CN-DISC-01");
    ND_RESULT own;
    ND2_SGE target = second.piece(0, 64);
    ASSERT_TRUE(is(first.receive(own, 64), ND_SUCCESS));
    ASSERT_TRUE(is(second.queue_pair->Receive(nullptr, &target, 1), ND_SUCCESS));
    if (std::get<1>(GetParam()) == Active::first) {
        Request ended;
        OverlappedRequest ending;
        ASSERT_TRUE(is(first.connector->NotifyDisconnect(ended), ND_PENDING));
        ASSERT_TRUE(is(finish(second.connector->Disconnect(ending.get()), ending, second.connector.get()), ND_SUCCESS));
        ASSERT_TRUE(is(ended.wait(), ND_SUCCESS));
        if (support::lacks(support::Ability::half_close)) {
            EXPECT_TRUE(comes(*first.inbound.get(), own, ND_CANCELED)) << "by the device";
        } else {
            EXPECT_EQ(nd1::next(*first.inbound.get(), support::milliseconds(50)), nullptr)
                << "stays pending in version 1";
        }
    } else {
        Request ending;
        ASSERT_TRUE(is(nd1::finish(first.connector->Disconnect(ending), ending), ND_SUCCESS));
        EXPECT_TRUE(is(second.next().Status, ND_CANCELED)) << "is flushed in version 2";
    }
}

INSTANTIATE_TEST_SUITE_P(
    , Versions, testing::Combine(testing::ValuesIn(variants_of("Nd1")), testing::Values(Active::first, Active::second)),
    [](const auto& each) {
        const bool first = std::get<1>(each.param) == Active::first;
        return std::string(first ? "Nd1ToNd2" : "Nd2ToNd1") + name_of(std::get<0>(each.param)).substr(3);
    });

}  // namespace
}  // namespace opennd::conformance

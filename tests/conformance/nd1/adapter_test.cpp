// SPDX-License-Identifier: MIT
//
// INDAdapter: Query, Control, the file handle, registrations, windows, Listen. Requirements ND1-AD-*.
#include <sys/mman.h>
#include <unistd.h>

#include <set>

#include "conformance/nd1/nd1_test.h"

namespace opennd::conformance::nd1 {
namespace {

class Nd1Adapters : public Nd1Test {
protected:
    INDAdapter& adapter() { return *adapter_.get(); }
    ComPtr<INDAdapter> adapter_ = open_adapter();
};

TEST_P(Nd1Adapters, QueryHasAVersionAndASize) {
    proves("ND1-AD-QRY-01", "ND1-AD-QRY-02", "ND1-AD-QRY-03", "ND1-AD-QRY-04", "ND1-AD-QRY-05", "ND1-AD-QRY-06",
           "ND1-AD-QRY-07");
    std::array<unsigned char, 4096> buffer;
    buffer.fill(0xEE);
    const auto untouched = buffer;
    auto* const info = reinterpret_cast<ND_ADAPTER_INFO*>(buffer.data());
    for (const SIZE_T given : {SIZE_T{0}, SIZE_T{127}}) {
        SIZE_T size = given;
        EXPECT_TRUE(is(adapter().Query(1, info, &size), ND_BUFFER_OVERFLOW));
        EXPECT_EQ(size, 128u);
        EXPECT_EQ(buffer, untouched);
    }
    for (const SIZE_T given : {SIZE_T{0}, SIZE_T{128}}) {
        SIZE_T size = given;
        EXPECT_TRUE(is(adapter().Query(1, nullptr, &size), ND_BUFFER_OVERFLOW));
        EXPECT_EQ(size, 128u);
    }
    for (const DWORD version : {0u, 2u, 0x20000u}) {
        SIZE_T size = 4096;
        EXPECT_TRUE(is(adapter().Query(version, info, &size), ND_NOT_SUPPORTED));
        EXPECT_TRUE(is(adapter().Query(version, info, nullptr), ND_NOT_SUPPORTED)) << "checked first";
        EXPECT_EQ(size, 4096u);
        EXPECT_EQ(buffer, untouched);
    }
    SIZE_T size = 4096;
    EXPECT_TRUE(is(adapter().Query(1, info, &size), ND_SUCCESS));
    EXPECT_EQ(size, 128u);
    EXPECT_TRUE(std::equal(buffer.begin() + 128, buffer.end(), untouched.begin() + 128));
    EXPECT_TRUE(is(adapter().Query(1, info, nullptr), ND_INVALID_PARAMETER_3));
}

TEST_P(Nd1Adapters, LimitsAreConstantAndCanBeHadTogether) {
    proves("ND1-AD-QRY-08", "ND1-AD-QRY-09", "ND1-AD-QRY-10", "ND1-AD-CQ-01", "ND1-CN-CREP-03", "ND1-CN-CREP-04");
    const ND_ADAPTER_INFO info = info_of(adapter());
    const ND_ADAPTER_INFO again = info_of(adapter());
    EXPECT_EQ(std::memcmp(&info, &again, sizeof info), 0);
    EXPECT_GE(info.MaxCallerData, 28u);
    EXPECT_GE(info.MaxInboundReadLimit, 16u);
    const auto queue = completion_queue(adapter(), info.MaxCqEntries);
    const auto used = connector(adapter());
    ComPtr<INDEndpoint> endpoint;
    EXPECT_TRUE(is(used->CreateEndpoint(queue.get(), queue.get(), info.MaxInboundRequests, info.MaxOutboundRequests,
                                        info.MaxInboundSge, info.MaxOutboundSge, info.MaxInboundReadLimit,
                                        info.MaxOutboundReadLimit, nullptr, endpoint.put()),
                   ND_SUCCESS));
}

TEST_P(Nd1Adapters, ControlIsForNobody) {
    proves("ND1-AD-CTL-01");
    SIZE_T returned = 7;
    EXPECT_TRUE(is(adapter().Control(1, nullptr, 0, nullptr, 0, &returned, nullptr), ND_NOT_SUPPORTED));
    EXPECT_EQ(returned, 0u);
    EXPECT_TRUE(is(adapter().Control(1, nullptr, 0, nullptr, 0, nullptr, nullptr), ND_NOT_SUPPORTED));
}

TEST_P(Nd1Adapters, HasOneFileHandleThatIsItsOwn) {
    proves("ND1-AD-FH-01", "ND1-AD-FH-02", "ND1-AD-FH-03", "ND1-AD-FH-04", "ND1-PROV-11", "ND1-OV-03");
    const HANDLE file = adapter().GetFileHandle();
    ASSERT_NE(file, INVALID_HANDLE_VALUE);
    EXPECT_EQ(adapter().GetFileHandle(), file);
    EXPECT_NE(open_adapter()->GetFileHandle(), file);
    std::array<std::byte, 64> memory;
    const ND_MR_HANDLE before = registered(adapter(), memory.data(), memory.size());
    HANDLE port = nullptr;
    ASSERT_TRUE(is(opennd_port_create(&port), ND_SUCCESS));
    ASSERT_TRUE(is(opennd_port_associate(port, file, 17), ND_SUCCESS));
    Request request;
    EXPECT_TRUE(is(adapter().DeregisterMemory(before, request), ND_SUCCESS));
    opennd_packet packets[2];
    ULONG count = 0;
    ASSERT_TRUE(is(opennd_port_wait(port, packets, 2, 0, &count), ND_SUCCESS));
    ASSERT_EQ(count, 1u) << "none for the request that completed before the association";
    EXPECT_EQ(packets[0].key, 17u);
    EXPECT_EQ(packets[0].overlapped, static_cast<OVERLAPPED*>(request));
    EXPECT_EQ(packets[0].status, 0u);
    EXPECT_EQ(packets[0].bytes, 0u);
    opennd_handle_close(file);  // by mistake
    Request later;
    ND_MR_HANDLE handle = nullptr;
    EXPECT_TRUE(is(adapter().RegisterMemory(memory.data(), memory.size(), later, &handle), ND_SUCCESS));
    EXPECT_TRUE(is(opennd_port_wait(port, packets, 2, 0, &count), ND_SUCCESS));
    EXPECT_TRUE(is(deregister(adapter(), handle), ND_SUCCESS));
    opennd_handle_close(port);
}

TEST_P(Nd1Adapters, TheFileLivesAsLongAsTheLastChild) {
    proves("ND1-AD-FH-03", "ND1-COM-16", "ND1-MW-15");
    const HANDLE file = adapter().GetFileHandle();
    const auto queue = completion_queue(adapter());
    HANDLE port = nullptr;
    ASSERT_TRUE(is(opennd_port_create(&port), ND_SUCCESS));
    EXPECT_EQ(adapter_.reset(), 0u);
    EXPECT_TRUE(is(opennd_port_associate(port, file, 1), ND_SUCCESS)) << "the queue keeps it";
    opennd_handle_close(port);
}

TEST_P(Nd1Adapters, CreatesQueuesWithinTheLimit) {
    proves("ND1-AD-CQ-01", "ND1-AD-CQ-02", "ND1-AD-CQ-03", "ND1-AD-CQ-04", "ND1-GEN-07", "ND1-COM-09");
    const SIZE_T most = info_of(adapter()).MaxCqEntries;
    for (const SIZE_T bad : {SIZE_T{0}, most + 1, SIZE_T{1} << 32, (SIZE_T{1} << 32) + 1}) {
        auto* queue = reinterpret_cast<INDCompletionQueue*>(this);
        EXPECT_TRUE(is(adapter().CreateCompletionQueue(bad, &queue), ND_INVALID_PARAMETER));
        EXPECT_EQ(queue, nullptr);
    }
    EXPECT_TRUE(is(adapter().CreateCompletionQueue(1, nullptr), ND_INVALID_PARAMETER_2));
    ComPtr<INDCompletionQueue> queue = completion_queue(adapter(), 1);
    EXPECT_EQ(queue.reset(), 0u);
}

TEST_P(Nd1Adapters, RegistersAnyRangeAndCompletesAtOnce) {
    proves("ND1-AD-REG-01", "ND1-AD-REG-02", "ND1-AD-REG-08", "ND1-AD-REG-11", "ND1-OV-13", "ND1-OV-CXL-04");
    std::array<std::byte, 100> memory;
    Request first, second;
    ND_MR_HANDLE one = nullptr, other = nullptr;
    EXPECT_TRUE(is(adapter().RegisterMemory(memory.data() + 1, 3, first, &one), ND_SUCCESS));
    EXPECT_TRUE(is(first.now(), ND_SUCCESS));
    EXPECT_TRUE(is(adapter().RegisterMemory(memory.data() + 1, 3, second, &other), ND_SUCCESS));
    EXPECT_NE(one, nullptr);
    EXPECT_NE(one, other);
    EXPECT_TRUE(is(adapter().CancelOverlappedRequests(), ND_SUCCESS));
    EXPECT_TRUE(is(deregister(adapter(), one), ND_SUCCESS));
    EXPECT_TRUE(is(deregister(adapter(), other), ND_SUCCESS));
}

TEST_P(Nd1Adapters, RefusesMemoryThatIsNotThere) {
    proves("ND1-AD-REG-03", "ND1-AD-REG-04", "ND1-AD-REG-05", "ND1-GEN-03", "ND1-OV-05");
    const SIZE_T most = info_of(adapter()).MaxRegistrationSize;
    std::array<std::byte, 64> memory;
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    auto* const pages =
        static_cast<std::byte*>(::mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    ::munmap(pages + page, page);
    const struct {
        const void* buffer;
        SIZE_T bytes;
        HRESULT status;
    } cases[] = {
        {memory.data(), most + 1, most + 1 == 0 ? ND_ACCESS_VIOLATION : ND_INVALID_PARAMETER},  // some have no limit
        {memory.data(), 0, ND_ACCESS_VIOLATION},
        {nullptr, 64, ND_ACCESS_VIOLATION},
        {reinterpret_cast<void*>(~std::uintptr_t{0} - 10), 64, ND_ACCESS_VIOLATION},
        {pages, 2 * page, ND_ACCESS_VIOLATION},
    };
    for (const auto& each : cases) {
        Request request;
        auto handle = reinterpret_cast<ND_MR_HANDLE>(this);
        EXPECT_TRUE(is(adapter().RegisterMemory(each.buffer, each.bytes, request, &handle), each.status));
        EXPECT_EQ(handle, nullptr);
        EXPECT_EQ(request.overlapped.Internal, 0xA5A5A5A5A5A5A5A5u) << "the structure is left unused";
    }
    Request request;
    ND_MR_HANDLE handle = nullptr;
    EXPECT_TRUE(is(adapter().RegisterMemory(memory.data(), 64, nullptr, &handle), ND_INVALID_PARAMETER_3));
    EXPECT_TRUE(is(adapter().RegisterMemory(memory.data(), 64, request, nullptr), ND_INVALID_PARAMETER_4));
    ::munmap(pages, page);
}

TEST_P(Nd1Adapters, ReadOnlyMemoryCanBeSentFromAndNotReceivedInto) {
    provokes("CHECK-ENTRY");
    proves("ND1-AD-REG-07", "ND1-EP-BIND-11", "ND1-EP-GEN-09");
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    void* const constant = ::mmap(nullptr, page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    {
        Pair pair;
        pair.connected();
        const ND_MR_HANDLE mr = registered(*pair.a.adapter.get(), constant, page);
        const ND_SGE sge{constant, 64, mr};
        ND_RESULT received, sent, bound, filled;
        ASSERT_TRUE(is(pair.b.receive(received, 64), ND_SUCCESS));
        ASSERT_TRUE(is(pair.a.endpoint->Send(&sent, &sge, 1, 0), ND_SUCCESS));
        EXPECT_TRUE(comes(*pair.a.outbound.get(), sent, ND_SUCCESS, 64));
        ASSERT_TRUE(is(pair.a.endpoint->Receive(&filled, &sge, 1), ND_SUCCESS));
        const auto window = memory_window(*pair.a.adapter.get());
        ND_MW_DESCRIPTOR descriptor;
        ASSERT_TRUE(
            is(pair.a.endpoint->Bind(&bound, mr, window.get(), constant, 64, ND_OP_FLAG_ALLOW_WRITE, &descriptor),
               ND_SUCCESS));
        EXPECT_TRUE(comes(*pair.a.outbound.get(), bound, ND_ACCESS_VIOLATION));
        EXPECT_TRUE(comes(*pair.a.inbound.get(), filled, ND_CANCELED));
    }
    {
        Pair pair;
        pair.connected();
        const ND_MR_HANDLE mr = registered(*pair.b.adapter.get(), constant, page);
        const ND_SGE sge{constant, 64, mr};
        ND_RESULT received, sent;
        ASSERT_TRUE(is(pair.b.endpoint->Receive(&received, &sge, 1), ND_SUCCESS));
        ASSERT_TRUE(is(pair.a.send(sent, 64), ND_SUCCESS));
        EXPECT_TRUE(comes(*pair.b.inbound.get(), received, ND_ACCESS_VIOLATION));
        EXPECT_TRUE(comes(*pair.a.outbound.get(), sent, ND_REMOTE_ERROR));
    }
    ::munmap(constant, page);
}

TEST_P(Nd1Adapters, HandlesAreOfOneInstanceAndOneRegistration) {
    proves("ND1-AD-REG-09", "ND1-AD-REG-10", "ND1-AD-DRG-01", "ND1-PROV-11");
    std::array<std::byte, 64> memory;
    const auto other = open_adapter();
    const ND_MR_HANDLE handle = registered(adapter(), memory.data(), memory.size());
    EXPECT_TRUE(is(deregister(*other.get(), handle), ND_INVALID_HANDLE));
    EXPECT_TRUE(is(deregister(adapter(), nullptr), ND_INVALID_HANDLE));
    EXPECT_TRUE(is(deregister(adapter(), reinterpret_cast<ND_MR_HANDLE>(this)), ND_INVALID_HANDLE));
    EXPECT_TRUE(is(adapter().DeregisterMemory(handle, nullptr), ND_INVALID_PARAMETER_2));
    EXPECT_TRUE(is(deregister(adapter(), handle), ND_SUCCESS));
    EXPECT_TRUE(is(deregister(adapter(), handle), ND_INVALID_HANDLE));
    std::set<ND_MR_HANDLE> seen;
    for (int i = 0; i < 100; ++i) {
        const ND_MR_HANDLE again = registered(adapter(), memory.data(), memory.size());
        EXPECT_TRUE(seen.insert(again).second);
        EXPECT_TRUE(is(deregister(adapter(), again), ND_SUCCESS));
    }
}

TEST_P(Nd1Adapters, DeregistersAfterEverythingElseIsGoneOrByItself) {
    proves("ND1-AD-DRG-04", "ND1-AD-DRG-05");
    std::array<std::byte, 64> memory;
    {
        Side side;
        const ND_MR_HANDLE left = registered(*side.adapter.get(), memory.data(), memory.size());
        const ND_SGE sge{memory.data(), memory.size(), left};
        ND_RESULT result;
        ASSERT_TRUE(is(side.endpoint->Receive(&result, &sge, 1), ND_SUCCESS));
        EXPECT_TRUE(is(deregister(*side.adapter.get(), left), ND_SUCCESS)) << "a request still names it";
        ASSERT_TRUE(is(side.endpoint->Flush(), ND_SUCCESS));
        EXPECT_TRUE(comes(*side.inbound.get(), result, ND_CANCELED));
        side.endpoint.reset();
        side.connector.reset();
        side.inbound.reset();
        side.outbound.reset();
        EXPECT_TRUE(is(deregister(*side.adapter.get(), side.mr), ND_SUCCESS));
        registered(*side.adapter.get(), memory.data(), memory.size());  // left to the adapter's end
    }
}

TEST_P(Nd1Adapters, WindowsAndConnectorsNeedAPlaceToGo) {
    proves("ND1-AD-MW-01", "ND1-AD-MW-02", "ND1-AD-MW-03", "ND1-AD-CN-01", "ND1-GEN-06", "ND1-MW-01");
    EXPECT_TRUE(is(adapter().CreateMemoryWindow(nullptr, nullptr), ND_INVALID_PARAMETER_2));
    EXPECT_TRUE(is(adapter().CreateConnector(nullptr), ND_INVALID_PARAMETER_1));
    ND_RESULT report{ND_PENDING, 77};
    ComPtr<INDMemoryWindow> window = memory_window(adapter(), &report);
    EXPECT_EQ(window.reset(), 0u);
    EXPECT_EQ(report.Status, ND_PENDING);
    EXPECT_EQ(report.BytesTransferred, 77u);
}

TEST_P(Nd1Adapters, ListensOnAPortOfItsOwnOrOneThatIsFree) {
    proves("ND1-AD-LSN-01", "ND1-AD-LSN-04", "ND1-AD-LSN-05", "ND1-AD-LSN-06", "ND1-AD-LSN-07", "ND1-AD-LSN-08",
           "ND1-AD-LSN-09", "ND1-AD-LSN-10", "ND1-AD-LSN-11", "ND1-LS-CLS-01");
    USHORT port = 0;
    ComPtr<INDListen> listen;
    EXPECT_TRUE(is(adapter().Listen(0, -1, 0, &port, listen.put()), ND_INVALID_PARAMETER_2));
    EXPECT_TRUE(is(adapter().Listen(0, 256, 0, &port, listen.put()), ND_INVALID_PARAMETER_2));
    EXPECT_TRUE(is(adapter().Listen(0, 0, 0, nullptr, listen.put()), ND_INVALID_PARAMETER_MIX));
    EXPECT_TRUE(is(adapter().Listen(0, 0, 0, &port, nullptr), ND_INVALID_PARAMETER_5));
    ASSERT_TRUE(is(adapter().Listen(~SIZE_T{0}, 255, 0, &port, listen.put()), ND_SUCCESS));
    EXPECT_GE(ntohs(port), 49152);
    USHORT again = 0;
    ComPtr<INDListen> second;
    const auto other = open_adapter();
    EXPECT_TRUE(is(other->Listen(0, 255, port, &again, second.put()), ND_ADDRESS_ALREADY_EXISTS));
    EXPECT_TRUE(is(other->Listen(0, 17, port, nullptr, second.put()), ND_ADDRESS_ALREADY_EXISTS))
        << "whatever the protocol (docs/decisions/0011)";
    EXPECT_EQ(second.get(), nullptr);
    EXPECT_EQ(listen.reset(), 0u);
    EXPECT_TRUE(is(other->Listen(0, 255, port, &again, second.put()), ND_SUCCESS)) << "free at once";
    EXPECT_EQ(again, port);
}

INSTANTIATE_TEST_SUITE_P(, Nd1Adapters, testing::ValuesIn(variants_of("Nd1")), variant_name);

}  // namespace
}  // namespace opennd::conformance::nd1

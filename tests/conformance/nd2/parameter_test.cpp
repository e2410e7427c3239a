// SPDX-License-Identifier: MIT
//
// Parameters: the status of each bad argument, checked in the call. Requirements ND2-ADP-*, ND2-MR-REG-01,
// ND2-QP-POST-03, -09, ND2-GEN-04, -06; vectors 4 to 10 and 13.
#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <limits>
#include <vector>

#include "conformance/nd2/nd2_test.h"

namespace opennd::conformance::nd2 {
namespace {

class Parameters : public Nd2Test {
protected:
    HRESULT create_queue_pair(IUnknown* received, IUnknown* initiated, ULONG receive_depth, ULONG initiator_depth,
                              ULONG receive_sge, ULONG initiator_sge, ULONG inline_bytes) {
        void* out = &out;
        const HRESULT status =
            adapter_->CreateQueuePair(IID_IND2QueuePair, received, initiated, nullptr, receive_depth, initiator_depth,
                                      receive_sge, initiator_sge, inline_bytes, &out);
        if (FAILED(status)) {
            EXPECT_EQ(out, nullptr) << "ND2-COM-04";
        } else {
            static_cast<IND2QueuePair*>(out)->Release();
        }
        return status;
    }
};

TEST_F(Parameters, QueryWantsRoomForTheWholeStructure) {
    proves("ND2-ADP-QUERY-01");
    for (ULONG given : {0u, 95u, 96u, 200u}) {
        SCOPED_TRACE(given);
        alignas(ND2_ADAPTER_INFO) unsigned char room[200];
        std::fill(std::begin(room), std::end(room), static_cast<unsigned char>(0xEE));
        ULONG size = given;
        const HRESULT status = adapter_->Query(reinterpret_cast<ND2_ADAPTER_INFO*>(room), &size);
        EXPECT_TRUE(is(status, given < 96 ? ND_BUFFER_OVERFLOW : ND_SUCCESS));
        EXPECT_EQ(size, 96u);
        const std::size_t touched = given < 96 ? 0 : 96;
        for (std::size_t i = touched; i < sizeof room; ++i) ASSERT_EQ(room[i], 0xEE) << "byte " << i;
    }
    ULONG size = 96;
    EXPECT_TRUE(is(adapter_->Query(nullptr, &size), ND_BUFFER_OVERFLOW));
    EXPECT_TRUE(is(adapter_->Query(&info_, nullptr), ND_INVALID_PARAMETER));
}

TEST_F(Parameters, QueryAcceptsAnyInfoVersion) {
    proves("ND2-ADP-QUERY-02", "ND2-AMB-02", "ND2-CLI-110");
    for (ULONG version : {ULONG{0}, ULONG{1}, ULONG{0x20000}, ULONG{0xCCCCCCCC}}) {
        ND2_ADAPTER_INFO info{};
        info.InfoVersion = version;
        ULONG size = sizeof info;
        EXPECT_TRUE(is(adapter_->Query(&info, &size), ND_SUCCESS));
        EXPECT_EQ(info.InfoVersion, 0x20000u);
    }
}

TEST_F(Parameters, CompletionQueueDepth) {
    proves("ND2-ADP-CQ-01", "ND2-AMB-03");
    const auto create = [&](ULONG depth) {
        ComPtr<IND2CompletionQueue> queue;
        return adapter_->CreateCompletionQueue(IID_IND2CompletionQueue, file_, depth, 0, 0, queue.out());
    };
    EXPECT_TRUE(is(create(0), ND_INVALID_PARAMETER_3));
    EXPECT_TRUE(is(create(1), ND_SUCCESS));
    EXPECT_TRUE(is(create(info_.MaxCompletionQueueDepth), ND_SUCCESS));
    EXPECT_TRUE(is(create(info_.MaxCompletionQueueDepth + 1), ND_INVALID_PARAMETER_3));
    EXPECT_TRUE(is(create(0xFFFFFFFF), ND_INVALID_PARAMETER_3));
}

TEST_F(Parameters, AffinityIsAHint) {
    proves("ND2-ADP-CQ-02", "ND2-CQ-AFF-01");
    ComPtr<IND2CompletionQueue> queue;
    ASSERT_TRUE(is(adapter_->CreateCompletionQueue(IID_IND2CompletionQueue, file_, 4, 99, ~KAFFINITY{0}, queue.out()),
                   ND_SUCCESS));
    USHORT group = 7;
    KAFFINITY affinity = 0;
    EXPECT_TRUE(is(queue->GetNotifyAffinity(&group, &affinity), ND_SUCCESS));
    EXPECT_EQ(group, 0u);
    EXPECT_NE(affinity, 0u);
    EXPECT_TRUE(is(queue->GetNotifyAffinity(nullptr, &affinity), ND_INVALID_PARAMETER));
    EXPECT_TRUE(is(queue->GetNotifyAffinity(&group, nullptr), ND_INVALID_PARAMETER));
}

TEST_F(Parameters, GetResultsOfNothing) {
    proves("ND2-CQ-GET-02");
    auto queue = completion_queue();
    auto pair = queue_pair(queue.get());
    ASSERT_TRUE(is(pair->Receive(nullptr, nullptr, 0), ND_SUCCESS));
    ASSERT_TRUE(is(pair->Flush(), ND_SUCCESS));
    ND2_RESULT result{};
    EXPECT_EQ(queue->GetResults(nullptr, 1), 0u);
    EXPECT_EQ(queue->GetResults(&result, 0), 0u);
    EXPECT_EQ(queue->GetResults(&result, 1), 1u) << "and took nothing away";
}

TEST_F(Parameters, QueuePairLimits) {
    proves("ND2-ADP-QP-01", "ND2-ADP-LIM-03", "ND2-CLI-16");
    auto queue = completion_queue();
    IUnknown* const good = queue.get();
    EXPECT_TRUE(is(create_queue_pair(good, good, info_.MaxReceiveQueueDepth + 1, 1, 1, 1, 0), ND_INVALID_PARAMETER_5));
    EXPECT_TRUE(
        is(create_queue_pair(good, good, 1, info_.MaxInitiatorQueueDepth + 1, 1, 1, 0), ND_INVALID_PARAMETER_6));
    EXPECT_TRUE(is(create_queue_pair(good, good, 1, 1, info_.MaxReceiveSge + 1, 1, 0), ND_INVALID_PARAMETER_7));
    EXPECT_TRUE(is(create_queue_pair(good, good, 1, 1, 1, info_.MaxInitiatorSge + 1, 0), ND_INVALID_PARAMETER_8));
    EXPECT_TRUE(is(create_queue_pair(good, good, 1, 1, 1, 1, info_.MaxInlineDataSize + 1), ND_INVALID_PARAMETER_9));
    EXPECT_TRUE(is(create_queue_pair(good, good, 0, 0, 0, 0, 0), ND_SUCCESS));
    EXPECT_TRUE(is(create_queue_pair(good, good, info_.MaxReceiveQueueDepth, info_.MaxInitiatorQueueDepth,
                                     info_.MaxReceiveSge, info_.MaxInitiatorSge, info_.MaxInlineDataSize),
                   ND_SUCCESS));
}

TEST_F(Parameters, QueuePairWantsItsOwnKindOfObject) {
    proves("ND2-GEN-06", "ND2-ADP-QP-01", "ND2-GEN-04");
    auto queue = completion_queue();
    auto region = memory_region();
    EXPECT_TRUE(is(create_queue_pair(region.get(), queue.get(), 1, 1, 1, 1, 0), ND_INVALID_PARAMETER_2));
    EXPECT_TRUE(is(create_queue_pair(queue.get(), region.get(), 1, 1, 1, 1, 0), ND_INVALID_PARAMETER_3));
    EXPECT_TRUE(is(create_queue_pair(nullptr, queue.get(), 1, 1, 1, 1, 0), ND_INVALID_PARAMETER_2));
    EXPECT_TRUE(is(create_queue_pair(queue.get(), nullptr, 1, 1, 1, 1, 0), ND_INVALID_PARAMETER_3));
}

TEST_F(Parameters, QueuePairRefusesQueuesOfAnotherOpen) {
    proves("ND2-GEN-06", "ND2-PRV-OPEN-02");
    auto queue = completion_queue();
    auto other = support::open_loopback_adapter();
    HANDLE file = nullptr;
    ASSERT_TRUE(is(other->CreateOverlappedFile(&file), ND_SUCCESS));
    ComPtr<IND2CompletionQueue> foreign;
    ASSERT_TRUE(is(other->CreateCompletionQueue(IID_IND2CompletionQueue, file, 4, 0, 0, foreign.out()), ND_SUCCESS));
    EXPECT_TRUE(is(create_queue_pair(foreign.get(), queue.get(), 1, 1, 1, 1, 0), ND_INVALID_PARAMETER_2));
    EXPECT_TRUE(is(create_queue_pair(queue.get(), foreign.get(), 1, 1, 1, 1, 0), ND_INVALID_PARAMETER_3));
    EXPECT_TRUE(is(opennd_handle_close(file), ND_SUCCESS));
}

TEST_F(Parameters, RegisterReportsEachMistake) {
    proves("ND2-MR-REG-01", "ND2-MR-REG-04", "ND2-CLI-19");
    support::Buffer memory(4096);
    auto region = memory_region();
    OverlappedRequest request;
    const auto enroll = [&](const void* start, SIZE_T length, ULONG flags) {
        return finish(region->Register(start, length, flags, request.get()), request, region.get());
    };
    EXPECT_TRUE(is(enroll(nullptr, 0, 0), ND_INVALID_PARAMETER)) << "the pointer is checked before the length";
    EXPECT_TRUE(is(enroll(nullptr, 100, 0), ND_INVALID_PARAMETER));
    EXPECT_TRUE(is(enroll(memory.data(), 0, 0), ND_INVALID_BUFFER_SIZE));
    EXPECT_TRUE(is(enroll(memory.data(), info_.MaxRegistrationSize + 1, 0), ND_INVALID_PARAMETER));
    EXPECT_TRUE(is(enroll(memory.data(), std::numeric_limits<SIZE_T>::max(), 0), ND_INVALID_PARAMETER));
    EXPECT_TRUE(is(enroll(memory.data(), 64, 0x10), ND_INVALID_PARAMETER)) << "an undefined flag";
    EXPECT_TRUE(is(enroll(memory.data(), 64, ND_MR_FLAG_DO_NOT_SECURE_VM), ND_SUCCESS)) << "ND2-MR-REG-04";
    EXPECT_TRUE(is(enroll(memory.data(), 64, 0), ND_INVALID_DEVICE_STATE));
}

TEST_F(Parameters, RegisterRefusesMemoryThatIsNotThere) {
    proves("ND2-MR-REG-01");
    const std::size_t page = 4096;
    void* pages = mmap(nullptr, 3 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(pages, MAP_FAILED);
    auto* start = static_cast<unsigned char*>(pages);
    ASSERT_EQ(munmap(start + page, page), 0);
    ASSERT_EQ(mprotect(start + 2 * page, page, PROT_READ), 0);
    auto region = memory_region();
    OverlappedRequest request;
    const auto enroll = [&](const void* at, SIZE_T length, ULONG flags) {
        return finish(region->Register(at, length, flags, request.get()), request, region.get());
    };
    EXPECT_TRUE(is(enroll(start, 2 * page, 0), ND_ACCESS_VIOLATION)) << "the second page is unmapped";
    EXPECT_TRUE(is(enroll(start + 2 * page, page, ND_MR_FLAG_ALLOW_LOCAL_WRITE), ND_ACCESS_VIOLATION)) << "read-only";
    EXPECT_TRUE(is(enroll(start + 2 * page, page, ND_MR_FLAG_ALLOW_REMOTE_READ), ND_SUCCESS)) << "reading is permitted";
    region.reset();
    munmap(start, page);
    munmap(start + 2 * page, page);
}

// The last `count` entries before memory that cannot be read.
class EntriesBeforeAHole {
public:
    EntriesBeforeAHole(std::size_t count, const ND2_SGE& entry) {
        pages_ = mmap(nullptr, 2 * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        first_ = reinterpret_cast<ND2_SGE*>(static_cast<std::byte*>(pages_) + kPage) - count;
        std::fill_n(first_, count, entry);
        mprotect(static_cast<std::byte*>(pages_) + kPage, kPage, PROT_NONE);
    }
    EntriesBeforeAHole(const EntriesBeforeAHole&) = delete;
    EntriesBeforeAHole& operator=(const EntriesBeforeAHole&) = delete;
    ~EntriesBeforeAHole() { munmap(pages_, 2 * kPage); }

    const ND2_SGE* data() const { return first_; }

private:
    static constexpr std::size_t kPage = 4096;
    void* pages_;
    ND2_SGE* first_;
};

TEST_F(Parameters, ListsBeyondTheLimitAreRefusedUnread) {
    proves("ND2-QP-POST-04", "ND2-QP-POST-05", "ND2-QP-SEND-04", "ND2-SRQ-RECV-01");
    auto queue = completion_queue();
    ComPtr<IND2QueuePair> pair;
    ASSERT_TRUE(
        is(adapter_->CreateQueuePair(IID_IND2QueuePair, queue.get(), queue.get(), nullptr, 8, 8, 4, 4, 64, pair.out()),
           ND_SUCCESS));
    ComPtr<IND2SharedReceiveQueue> shared;
    ASSERT_TRUE(is(adapter_->CreateSharedReceiveQueue(IID_IND2SharedReceiveQueue, file_, 8, 4, 0, 0, 0, shared.out()),
                   ND_SUCCESS));
    std::byte bytes[40]{};
    const EntriesBeforeAHole list(17, {bytes, sizeof bytes, 0});
    for (const ULONG count : {0x10000u, 0xffffffffu}) {
        SCOPED_TRACE(count);
        EXPECT_TRUE(is(pair->Send(nullptr, list.data(), count, 0), ND_DATA_OVERRUN));
        EXPECT_TRUE(is(pair->Receive(nullptr, list.data(), count), ND_DATA_OVERRUN));
        EXPECT_TRUE(is(pair->Read(nullptr, list.data(), count, 0, 0, 0), ND_DATA_OVERRUN));
        EXPECT_TRUE(is(pair->Write(nullptr, list.data(), count, 0, 0, 0), ND_DATA_OVERRUN));
        EXPECT_TRUE(is(shared->Receive(nullptr, list.data(), count), ND_DATA_OVERRUN));
        EXPECT_TRUE(is(pair->Send(nullptr, list.data(), count, ND_OP_FLAG_INLINE), ND_BUFFER_OVERFLOW));
        EXPECT_TRUE(is(pair->Write(nullptr, list.data(), count, 0, 0, ND_OP_FLAG_INLINE), ND_BUFFER_OVERFLOW));
    }
}

TEST_F(Parameters, InlineEntriesWhoseSumWrapsAreTooLong) {
    proves("ND2-QP-POST-05", "ND2-QP-SEND-04");
    auto queue = completion_queue();
    ComPtr<IND2QueuePair> pair;
    ASSERT_TRUE(
        is(adapter_->CreateQueuePair(IID_IND2QueuePair, queue.get(), queue.get(), nullptr, 8, 8, 4, 4, 64, pair.out()),
           ND_SUCCESS));
    std::byte byte{};
    std::vector<ND2_SGE> list(17, {&byte, 1, 0});
    list.back().BufferLength = 0xffffffff;
    const auto count = static_cast<ULONG>(list.size());
    EXPECT_TRUE(is(pair->Send(nullptr, list.data(), count, ND_OP_FLAG_INLINE), ND_BUFFER_OVERFLOW));
    EXPECT_TRUE(is(pair->Write(nullptr, list.data(), count, 0, 0, ND_OP_FLAG_INLINE), ND_BUFFER_OVERFLOW));
}

TEST_F(Parameters, PostingReportsEachMistake) {
    proves("ND2-QP-POST-03", "ND2-QP-POST-09", "ND2-GEN-03", "ND2-AMB-40");
    auto queue = completion_queue();
    auto pair = queue_pair(queue.get());
    EXPECT_TRUE(is(pair->Send(nullptr, nullptr, 1, 0), ND_INVALID_PARAMETER_2));
    EXPECT_TRUE(is(pair->Receive(nullptr, nullptr, 1), ND_INVALID_PARAMETER_2));
    EXPECT_TRUE(is(pair->Read(nullptr, nullptr, 1, 0, 0, 0), ND_INVALID_PARAMETER_2));
    EXPECT_TRUE(is(pair->Write(nullptr, nullptr, 1, 0, 0, 0), ND_INVALID_PARAMETER_2));
    for (ULONG bit = 0; bit < 32; ++bit) {
        SCOPED_TRACE(bit);
        const ULONG flag = ULONG{1} << bit;
        const auto expected = [&](ULONG mask, HRESULT refusal) {
            return (flag & mask) ? ND_CONNECTION_INVALID : refusal;
        };
        EXPECT_TRUE(is(pair->Send(nullptr, nullptr, 0, flag), expected(0x27, ND_INVALID_PARAMETER_4)));
        EXPECT_TRUE(is(pair->Write(nullptr, nullptr, 0, 0, 0, flag), expected(0x23, ND_INVALID_PARAMETER_6)));
        EXPECT_TRUE(is(pair->Read(nullptr, nullptr, 0, 0, 0, flag), expected(0x3F, ND_INVALID_PARAMETER_6)));
    }
    ND2_RESULT result{};
    EXPECT_EQ(queue->GetResults(&result, 1), 0u);
}

TEST_F(Parameters, SgeArrayIsReadDuringTheCallOnly) {
    proves("ND2-QP-POST-02");
    auto queue = completion_queue();
    auto pair = queue_pair(queue.get());
    ND2_SGE sge{};
    ASSERT_TRUE(is(pair->Receive(&sge, &sge, 1), ND_SUCCESS));
    sge = {reinterpret_cast<void*>(1), 0xFFFFFFFF, 0xFFFFFFFF};
    ASSERT_TRUE(is(pair->Flush(), ND_SUCCESS));
    ND2_RESULT result{};
    ASSERT_EQ(queue->GetResults(&result, 1), 1u);
    EXPECT_EQ(result.RequestContext, &sge);
}

TEST_F(Parameters, ConnectorAddresses) {
    proves("ND2-CON-ADDR-01", "ND2-GEN-04");
    auto object = connector();
    SocketAddress address = loopback_address();
    EXPECT_TRUE(is(object->Bind(nullptr, sizeof address), ND_INVALID_ADDRESS));
    EXPECT_TRUE(is(object->Bind(as_sockaddr(address), 15), ND_INVALID_ADDRESS));
    SocketAddress wrong = address;
    wrong.ipv4.sin_family = 99;
    EXPECT_TRUE(is(object->Bind(as_sockaddr(wrong), sizeof wrong), ND_INVALID_ADDRESS));
    sockaddr_in6 short_six{};
    short_six.sin6_family = AF_INET6;
    EXPECT_TRUE(is(object->Bind(reinterpret_cast<sockaddr*>(&short_six), 27), ND_INVALID_ADDRESS));
    sockaddr_storage longer{};
    std::memcpy(&longer, &address, sizeof address);
    EXPECT_TRUE(is(object->Bind(reinterpret_cast<sockaddr*>(&longer), sizeof longer), ND_SUCCESS))
        << "longer is accepted";
}

TEST_F(Parameters, OutputAddressesWantRoom) {
    proves("ND2-CON-ADDR-02", "ND2-CON-ADDR-03", "ND2-AMB-27");
    auto object = listener();
    ULONG size = 0;
    EXPECT_TRUE(is(object->GetLocalAddress(nullptr, &size), ND_INVALID_DEVICE_STATE)) << "state before buffer";
    const SocketAddress address = loopback_address();
    ASSERT_TRUE(is(object->Bind(as_sockaddr(address), sizeof address), ND_SUCCESS));
    EXPECT_TRUE(is(object->GetLocalAddress(nullptr, &size), ND_BUFFER_OVERFLOW));
    EXPECT_EQ(size, 16u);
    sockaddr_storage room{};
    size = 15;
    EXPECT_TRUE(is(object->GetLocalAddress(reinterpret_cast<sockaddr*>(&room), &size), ND_BUFFER_OVERFLOW));
    EXPECT_EQ(size, 16u);
    EXPECT_EQ(room.ss_family, 0) << "untouched";
    size = sizeof room;
    EXPECT_TRUE(is(object->GetLocalAddress(reinterpret_cast<sockaddr*>(&room), &size), ND_SUCCESS));
    EXPECT_EQ(size, 16u) << "the size written";
    EXPECT_TRUE(is(object->GetLocalAddress(reinterpret_cast<sockaddr*>(&room), nullptr), ND_INVALID_PARAMETER));
}

TEST_F(Parameters, ConnectChecksInItsOwnOrder) {
    proves("ND2-CON-CONN-01", "ND2-GEN-06");
    auto queue = completion_queue();
    auto pair = queue_pair(queue.get());
    auto object = connector();
    const SocketAddress peer = loopback_address(50'000);
    OverlappedRequest request;
    const auto connect = [&](IUnknown* queue_pair, const sockaddr* address, ULONG size, const void* data,
                             ULONG length) {
        return object->Connect(queue_pair, address, size, 0, 0, data, length, request.get());
    };
    const ULONG too_long = info_.MaxCallerData + 1;
    EXPECT_TRUE(is(connect(queue.get(), nullptr, 16, nullptr, too_long), ND_INVALID_ADDRESS));
    EXPECT_TRUE(is(connect(queue.get(), as_sockaddr(peer), 15, nullptr, too_long), ND_INVALID_ADDRESS));
    EXPECT_TRUE(is(connect(queue.get(), as_sockaddr(peer), 16, nullptr, too_long), ND_INVALID_PARAMETER_1));
    EXPECT_TRUE(is(connect(nullptr, as_sockaddr(peer), 16, nullptr, too_long), ND_INVALID_PARAMETER_1));
    EXPECT_TRUE(is(connect(pair.get(), as_sockaddr(peer), 16, nullptr, too_long), ND_INVALID_BUFFER_SIZE));
    EXPECT_TRUE(is(connect(pair.get(), as_sockaddr(peer), 16, nullptr, 1), ND_ACCESS_VIOLATION));
    EXPECT_TRUE(is(connect(pair.get(), as_sockaddr(peer), 16, nullptr, 0), kAddressNotAssociated));
}

TEST_F(Parameters, ADestinationIsOfTheFamilyOfTheLocalAddress) {
    proves("ND2-CON-CONN-01");
    auto queue = completion_queue();
    auto pair = queue_pair(queue.get());
    auto object = connector();
    const SocketAddress local = loopback_address();
    ASSERT_TRUE(is(object->Bind(as_sockaddr(local), sizeof local), ND_SUCCESS));
    SocketAddress other;
    other.ipv4.sin_family = local.ipv4.sin_family == AF_INET ? AF_INET6 : AF_INET;
    other.ipv4.sin_port = htons(50'000);
    other.set_host("127.0.0.1", "::1");
    OverlappedRequest request;
    EXPECT_TRUE(is(object->Connect(pair.get(), as_sockaddr(other), sizeof other, 0, 0, nullptr, 0, request.get()),
                   ND_INVALID_ADDRESS));
}

TEST_F(Parameters, ListenerWantsAConnectorOfItsAdapter) {
    proves("ND2-LIS-REQ-02", "ND2-GEN-06");
    auto object = listener();
    auto queue = completion_queue();
    OverlappedRequest request;
    EXPECT_TRUE(is(object->GetConnectionRequest(queue.get(), request.get()), ND_INVALID_PARAMETER_1));
    EXPECT_TRUE(is(object->GetConnectionRequest(nullptr, request.get()), ND_INVALID_PARAMETER_1));
    auto taker = connector();
    EXPECT_TRUE(is(object->GetConnectionRequest(taker.get(), request.get()), ND_INVALID_DEVICE_STATE));
}

}  // namespace
}  // namespace opennd::conformance::nd2

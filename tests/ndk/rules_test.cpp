// SPDX-License-Identifier: MIT
//
// Edge cases of requests' use of memory and tokens, and state that the face leaves alone.
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include "ndk/consumer/side.h"
#include "support/sanitizer.h"

namespace opennd::ndk_test {
namespace {

constexpr ULONG kPage = 4096;

class NdkRules : public NdkTest {
protected:
    NTSTATUS read(const NDK_SGE& sink, UINT64 address, UINT32 token) {
        EXPECT_STATUS(
            pair_.a.queue_pair->Dispatch->NdkRead(pair_.a.queue_pair.get(), tag(1), &sink, 1, address, token, 0),
            STATUS_SUCCESS);
        return next_result(pair_.a.initiated.get()).Status;
    }
    NTSTATUS write(UINT64 address, UINT32 token, ULONG bytes = 64) {
        const NDK_SGE from = pair_.a.part(0, bytes);
        EXPECT_STATUS(
            pair_.a.queue_pair->Dispatch->NdkWrite(pair_.a.queue_pair.get(), tag(1), &from, 1, address, token, 0),
            STATUS_SUCCESS);
        return next_result(pair_.a.initiated.get()).Status;
    }
    // A region over the memory of a, with these rights.
    UINT32 enroll(Owned<NDK_MR>& region, ULONG rights) {
        EXPECT_STATUS(
            pair_.a.domain->Dispatch->NdkCreateMr(pair_.a.domain.get(), FALSE, nullptr, nullptr, region.out()),
            STATUS_SUCCESS);
        Mdl mdl(pair_.a.memory->data(), kPage);
        EXPECT_STATUS(region->Dispatch->NdkRegisterMr(region.get(), mdl.get(), kPage, rights, nullptr, nullptr),
                      STATUS_SUCCESS);
        return region->Dispatch->NdkGetLocalTokenFromMr(region.get());
    }

    Pair pair_;
};
OPENND_OVER_EACH_TRANSPORT(NdkRules);

TEST_P(NdkRules, EntriesMayChangeOnceTheyArePosted) {
    proves("NDK-QP-POST-06");
    std::memset(pair_.a.memory->data(), 0x11, 200);
    std::memset(pair_.a.memory->data() + 1000, 0x22, 200);
    NDK_SGE entries[2] = {pair_.a.part(0, 100), pair_.a.part(1000, 100)};
    // Waits for a receive, so that it is carried out later.
    ASSERT_STATUS(pair_.a.queue_pair->Dispatch->NdkSend(pair_.a.queue_pair.get(), tag(1), entries, 2, 0),
                  STATUS_SUCCESS);
    entries[0] = entries[1] = sge(nullptr, 1, 0);
    NDK_SGE into[2] = {pair_.b.part(0, 150), pair_.b.part(500, 150)};
    ASSERT_STATUS(pair_.b.queue_pair->Dispatch->NdkReceive(pair_.b.queue_pair.get(), tag(2), into, 2), STATUS_SUCCESS);
    into[0] = into[1] = sge(nullptr, 1, 0);
    EXPECT_EQ(next_result(pair_.b.received.get()).BytesTransferred, 200u);
    EXPECT_EQ((*pair_.b.memory)[99], std::byte{0x11});
    EXPECT_EQ((*pair_.b.memory)[100], std::byte{0x22});
    EXPECT_EQ((*pair_.b.memory)[549], std::byte{0x22});
}

TEST_P(NdkRules, ListsBeyondTheLimitAreRefusedUnread) {
    proves("NDK-QP-POST-03");
    auto* const beyond = reinterpret_cast<const NDK_SGE*>(sizeof(NDK_SGE));  // no memory at all
    NDK_QP* const queue_pair = pair_.a.queue_pair.get();
    for (const ULONG count : {0x10000u, 0xffffffffu}) {
        EXPECT_STATUS(queue_pair->Dispatch->NdkSend(queue_pair, tag(1), beyond, count, 0), STATUS_DATA_OVERRUN);
        EXPECT_STATUS(queue_pair->Dispatch->NdkReceive(queue_pair, tag(1), beyond, count), STATUS_DATA_OVERRUN);
        EXPECT_STATUS(queue_pair->Dispatch->NdkRead(queue_pair, tag(1), beyond, count, 0, 0, 0), STATUS_DATA_OVERRUN);
        EXPECT_STATUS(queue_pair->Dispatch->NdkWrite(queue_pair, tag(1), beyond, count, 0, 0, 0), STATUS_DATA_OVERRUN);
    }
}

TEST_P(NdkRules, AReadBeyondTheRegionFails) {
    proves("NDK-QP-READ-02");
    EXPECT_STATUS(read(pair_.a.part(0, 64), pair_.b.address(kMemory - 63), pair_.b.remote_token),
                  STATUS_ACCESS_VIOLATION)
        << "which does not tell bounds from rights";
}

TEST_P(NdkRules, AWriteBeyondTheRegionFails) {
    proves("NDK-QP-WRITE-05");
    (*pair_.b.memory)[kMemory - 1] = std::byte{0x7E};
    const NTSTATUS status = write(pair_.b.address(kMemory - 63), pair_.b.remote_token);
    EXPECT_STATUS(status, STATUS_ACCESS_VIOLATION);
    EXPECT_EQ((*pair_.b.memory)[kMemory - 1], std::byte{0x7E});
}

TEST_P(NdkRules, ASinkNeedsLocalWriteAndNoOtherRight) {
    proves("NDK-QP-READ-06", "NDK-MR-REG-03");
    Owned<NDK_MR> writable, sink_only;
    const UINT32 right = enroll(writable, NDK_MR_FLAG_ALLOW_LOCAL_WRITE);
    const UINT32 wrong = enroll(sink_only, NDK_MR_FLAG_RDMA_READ_SINK | NDK_MR_FLAG_ALLOW_REMOTE_READ);
    const auto* const memory = pair_.a.memory->data();
    EXPECT_STATUS(read(sge(memory, 64, right), pair_.b.address(0), pair_.b.remote_token), STATUS_SUCCESS);
    EXPECT_STATUS(read(sge(memory, 0, wrong), 0xDEAD0000, 0xFFFFFFFF), STATUS_SUCCESS) << "of no bytes";
    EXPECT_STATUS(read(sge(memory, 64, wrong), pair_.b.address(0), pair_.b.remote_token), STATUS_ACCESS_VIOLATION);
}

TEST_P(NdkRules, ALogicalAddressIsReachedWithoutItsMdlAndAfterItsRelease) {
    proves("NDK-PD-05", "NDK-LAM-10", "NDK-LAM-08", "NDK-LAM-06", "NDK-CONS-32");
    void* const memory = std::aligned_alloc(kPage, 2 * kPage);
    auto* const bytes = static_cast<std::byte*>(memory);
    std::memset(bytes, 0x44, 2 * kPage);
    struct {
        NDK_LOGICAL_ADDRESS_MAPPING mapping;
        NDK_LOGICAL_ADDRESS second;
    } room{};
    ULONG size = sizeof room, first_byte = 0;
    NDK_ADAPTER* const adapter = pair_.a.adapter.get();
    {
        Mdl mdl(bytes + 100, kPage);
        ASSERT_STATUS(adapter->Dispatch->NdkBuildLAM(adapter, mdl.get(), kPage, nullptr, nullptr, &room.mapping, &size,
                                                     &first_byte),
                      STATUS_SUCCESS);
    }
    EXPECT_EQ(room.mapping.AdapterPageCount, 2u) << "pages of 4096 bytes, whatever the host's are";
    EXPECT_EQ(first_byte, 100u);
    UINT32 privileged = 0;
    pair_.a.domain->Dispatch->NdkGetPrivilegedMemoryRegionToken(pair_.a.domain.get(), &privileged);
    NDK_SGE entry{};
    entry.LogicalAddress.QuadPart = room.mapping.AdapterPageArray[0].QuadPart + first_byte;
    entry.Length = 64;
    entry.MemoryRegionToken = privileged;
    ASSERT_STATUS(pair_.b.receive(1, 0, 64), STATUS_SUCCESS);
    ASSERT_STATUS(pair_.a.queue_pair->Dispatch->NdkSend(pair_.a.queue_pair.get(), tag(2), &entry, 1, 0),
                  STATUS_SUCCESS);
    EXPECT_STATUS(next_result(pair_.b.received.get()).Status, STATUS_SUCCESS);
    EXPECT_EQ((*pair_.b.memory)[63], std::byte{0x44});

    // A registration may still map the pages when the mapping is released.
    Owned<NDK_MR> region;
    ASSERT_STATUS(pair_.a.domain->Dispatch->NdkCreateMr(pair_.a.domain.get(), TRUE, nullptr, nullptr, region.out()),
                  STATUS_SUCCESS);
    ASSERT_STATUS(region->Dispatch->NdkInitializeFastRegisterMr(region.get(), 2, TRUE, nullptr, nullptr),
                  STATUS_SUCCESS);
    ASSERT_STATUS(pair_.a.queue_pair->Dispatch->NdkFastRegister(
                      pair_.a.queue_pair.get(), tag(3), region.get(), 2, room.mapping.AdapterPageArray, first_byte,
                      kPage, reinterpret_cast<PVOID>(ULONG_PTR{0x10000} + first_byte), NDK_OP_FLAG_ALLOW_REMOTE_READ),
                  STATUS_SUCCESS);
    EXPECT_STATUS(next_result(pair_.a.initiated.get()).Status, STATUS_SUCCESS) << "of the Send";
    EXPECT_STATUS(next_result(pair_.a.initiated.get()).Status, STATUS_SUCCESS);
    adapter->Dispatch->NdkReleaseLAM(adapter, &room.mapping);
    EXPECT_STATUS(region.close(), STATUS_SUCCESS);
    std::free(memory);
}

// 64 KiB as a message of SMB Direct has them: pages, of which the first and the last are used in part.
TEST_P(NdkRules, AReceiveOf64KiBMayBeSeventeenPieces) {
    proves("NDK-QP-RECV-05", "NDK-CONS-25");
    SideOptions options;
    options.sges = 17;
    Pair pair(options);
    std::vector<NDK_SGE> pieces{pair.b.part(0, kPage / 2)};
    for (ULONG i = 0; i < 15; ++i) pieces.push_back(pair.b.part(kPage / 2 + i * kPage, kPage));
    pieces.push_back(pair.b.part(kMemory - kPage / 2, kPage / 2));
    for (ULONG i = 0; i < kMemory; ++i) (*pair.a.memory)[i] = static_cast<std::byte>(i * 7 + i / 256);
    ASSERT_STATUS(pair.b.queue_pair->Dispatch->NdkReceive(pair.b.queue_pair.get(), tag(1), pieces.data(), 17),
                  STATUS_SUCCESS);
    ASSERT_STATUS(pair.a.send(2, 0, kMemory), STATUS_SUCCESS);
    const NDK_RESULT_EX received = next_result(pair.b.received.get());
    EXPECT_STATUS(received.Status, STATUS_SUCCESS);
    EXPECT_EQ(received.BytesTransferred, kMemory);
    EXPECT_EQ(*pair.a.memory, *pair.b.memory);
}

// A layer between consumer and provider owns the reserved part of the header, and puts its own tables in.
TEST_P(NdkRules, ReservedPartAndTablesOfObjectsBelongToTheConsumer) {
    proves("NDK-GEN-14");
    Side& a = pair_.a;
    const auto mark = [](auto& owned) {
        for (void*& each : owned->Header.NdkReserved.rf) each = &owned->Header;
        return std::exchange(owned.get()->Dispatch, nullptr);
    };
    const auto untouched = [](auto& owned, auto* table) {
        for (void* const each : owned->Header.NdkReserved.rf) EXPECT_EQ(each, &owned->Header);
        EXPECT_EQ(owned.get()->Dispatch, nullptr);
        owned.get()->Dispatch = table;
    };
    const auto* const domain = mark(a.domain);
    const auto* const received = mark(a.received);
    const auto* const initiated = mark(a.initiated);
    const auto* const region = mark(a.region);
    const auto* const queue_pair = mark(a.queue_pair);
    const auto* const connector = mark(a.connector);
    const NDK_SGE entry = a.part(0, 64);
    received->NdkArmCq(a.received.get(), NDK_CQ_NOTIFY_ANY);
    EXPECT_STATUS(queue_pair->NdkReceive(a.queue_pair.get(), tag(1), &entry, 1), STATUS_SUCCESS);
    EXPECT_STATUS(pair_.b.send(2, 0, 64), STATUS_SUCCESS);
    EXPECT_STATUS(a.received_armed.next(), STATUS_SUCCESS);
    EXPECT_STATUS(
        queue_pair->NdkWrite(a.queue_pair.get(), tag(3), &entry, 1, pair_.b.address(0), pair_.b.remote_token, 0),
        STATUS_SUCCESS);
    pair_.b.connector.close();
    EXPECT_NE(a.disconnected.next(), kNoCallback);
    untouched(a.domain, domain);
    untouched(a.received, received);
    untouched(a.initiated, initiated);
    untouched(a.region, region);
    untouched(a.queue_pair, queue_pair);
    untouched(a.connector, connector);
}

// Bytes of this process that are in memory.
std::size_t resident() {
    std::ifstream file("/proc/self/statm");
    std::size_t whole = 0, pages = 0;
    file >> whole >> pages;
    return pages * kPage;
}

TEST(NdkCost, LargeQueuesTakeNoMemoryBeforeTheyAreUsed) {
    proves("NDK-QP-CREATE-07", "NDK-CONS-71", "NDK-CQ-CREATE-02");
    Side side;
    const NDK_ADAPTER_INFO can = side.adapter.info();
    const std::size_t before = resident();
    std::vector<Owned<NDK_CQ>> queues;
    std::vector<Owned<NDK_QP>> pairs(32);
    for (Owned<NDK_QP>& pair : pairs) {
        queues.push_back(side.adapter.create_completion_queue(can.MaxCqDepth));
        NDK_CQ* const queue = queues.back().get();
        ASSERT_STATUS(side.domain->Dispatch->NdkCreateQp(side.domain.get(), queue, queue, nullptr,
                                                         can.MaxReceiveQueueDepth, can.MaxInitiatorQueueDepth,
                                                         can.MaxReceiveRequestSge, can.MaxInitiatorRequestSge,
                                                         can.MaxInlineDataSize, nullptr, nullptr, pair.out()),
                      STATUS_SUCCESS);
    }
    constexpr std::size_t kFull = 25 * 1024 * 1024;  // the full size of a queue pair and its queue
    EXPECT_LT(resident() - before, pairs.size() * kFull / 64);
}

TEST(NdkCost, FastRegionsTakeNoMemoryBeforeTheyAreUsed) {
    proves("NDK-MR-FRMR-04", "NDK-CONS-28");
    if (support::kThreadSanitizer || support::kAddressSanitizer)
        GTEST_SKIP() << "the sanitizer's own memory is as large as what is measured";
    Side side;
    const std::size_t before = resident();
    std::vector<Owned<NDK_MR>> regions(4096);
    for (Owned<NDK_MR>& region : regions) {
        ASSERT_STATUS(side.domain->Dispatch->NdkCreateMr(side.domain.get(), TRUE, nullptr, nullptr, region.out()),
                      STATUS_SUCCESS);
        ASSERT_STATUS(region->Dispatch->NdkInitializeFastRegisterMr(region.get(), 512, TRUE, nullptr, nullptr),
                      STATUS_SUCCESS);
    }
    EXPECT_LT(resident() - before, regions.size() * 512 * sizeof(UINT64) / 2) << "less than half of their page lists";
}

}  // namespace
}  // namespace opennd::ndk_test

// SPDX-License-Identifier: MIT
//
// Memory windows of version 1: Bind, Invalidate, descriptors, and Reads and Writes through them. Requirements ND1-MW-*,
// ND1-EP-BIND-*, ND1-EP-INV-*, ND1-EP-READ-*, ND1-EP-WRITE-*; vectors 7.2, 7.4.
#include <vector>

#include "conformance/nd1/windows.h"
#include "support/tested_device.h"

namespace opennd::conformance::nd1 {
namespace {

TEST_P(Nd1Windows, TheDescriptorIsBigEndianAndCompleteAtOnce) {
    proves("ND1-EP-BIND-01", "ND1-EP-BIND-08", "ND1-EP-BIND-10", "ND1-MW-02", "ND1-MW-03", "ND1-MW-12");
    Pair pair;
    pair.connected();
    const auto window = memory_window(*pair.b.adapter.get());
    // At an odd place, as in a message.
    std::array<unsigned char, 1 + sizeof(ND_MW_DESCRIPTOR)> message{};
    ND_RESULT bound;
    ASSERT_TRUE(
        is(pair.b.endpoint->Bind(&bound, pair.b.mr, window.get(), pair.b.memory.data(), kBytes, ND_OP_FLAG_ALLOW_READ,
                                 reinterpret_cast<ND_MW_DESCRIPTOR*>(message.data() + 1)),
           ND_SUCCESS));
    std::uint64_t base = 0, length = 0;
    for (std::size_t i = 0; i < 8; ++i) {
        base = base << 8 | message[1 + i];
        length = length << 8 | message[9 + i];
    }
    EXPECT_EQ(base, reinterpret_cast<std::uintptr_t>(pair.b.memory.data()));
    EXPECT_EQ(length, kBytes);
    EXPECT_TRUE(comes(*pair.b.outbound.get(), bound, ND_SUCCESS));
    const auto overlapping = memory_window(*pair.b.adapter.get());
    const ND_MW_DESCRIPTOR other = bind(pair, overlapping.get(), ND_OP_FLAG_ALLOW_WRITE);
    EXPECT_NE(std::memcmp(&other.Token, message.data() + 17, sizeof other.Token), 0);
}

TEST_P(Nd1Windows, ReadsAndWritesGoToAnOffsetInTheWindow) {
    proves("ND1-EP-READ-01", "ND1-EP-READ-02", "ND1-EP-READ-04", "ND1-EP-READ-05", "ND1-EP-READ-11", "ND1-EP-READ-12",
           "ND1-EP-READ-13", "ND1-EP-READ-14", "ND1-EP-WRITE-01", "ND1-EP-WRITE-03", "ND1-EP-WRITE-06",
           "ND1-EP-WRITE-07", "ND1-EP-GEN-14", "ND1-EP-GEN-15");
    Pair pair;
    pair.connected();
    const auto window = memory_window(*pair.b.adapter.get());
    ND_MW_DESCRIPTOR descriptor = bind(pair, window.get());
    fill_pattern(pair.b.memory.bytes(), 7);
    fill_with(pair.a.memory.bytes(), std::byte{0});
    ND_RESULT got, put, silent;
    ASSERT_TRUE(is(read(pair.a, got, 100, &descriptor, 1000, ND_OP_FLAG_READ_FENCE), ND_SUCCESS));
    const ND_MW_DESCRIPTOR kept = descriptor;
    descriptor = {};  // it was copied
    EXPECT_TRUE(comes(*pair.a.outbound.get(), got, ND_SUCCESS, 100));
    EXPECT_EQ(std::memcmp(pair.a.memory.data(), pair.b.memory.data() + 1000, 100), 0);
    fill_with(pair.a.memory.bytes(), std::byte{0x33});
    ASSERT_TRUE(is(write(pair.a, silent, 8, &kept, 0, ND_OP_FLAG_SILENT_SUCCESS), ND_SUCCESS));
    ASSERT_TRUE(is(write(pair.a, put, 96, &kept, kBytes - 96, ND_OP_FLAG_READ_FENCE), ND_SUCCESS)) << "to its end";
    EXPECT_TRUE(comes(*pair.a.outbound.get(), put, ND_SUCCESS, 96));
    EXPECT_TRUE(is_filled_with({pair.b.memory.data() + kBytes - 96, 96}, std::byte{0x33}));
    EXPECT_TRUE(has_pattern({pair.b.memory.data() + kBytes, 64}, 7, kBytes));
}

TEST_P(Nd1Windows, WhatTheDescriptorShowsToBeBeyondIsRefusedAtTheCall) {
    proves("ND1-EP-READ-03", "ND1-EP-WRITE-02", "ND1-GEN-03", "ND1-GEN-11");
    Pair pair;
    pair.connected();
    const auto window = memory_window(*pair.b.adapter.get());
    const ND_MW_DESCRIPTOR descriptor = bind(pair, window.get());
    ND_RESULT result, received;
    const struct {
        ULONGLONG offset;
        SIZE_T bytes;
    } beyond[] = {{kBytes, 1}, {kBytes + 1, 8}, {0, kBytes + 1}, {~ULONGLONG{0}, 2}, {1, kBytes}};
    for (const auto& each : beyond) {
        EXPECT_TRUE(is(read(pair.a, result, each.bytes, &descriptor, each.offset), ND_REMOTE_ERROR));
        EXPECT_TRUE(is(write(pair.a, result, each.bytes, &descriptor, each.offset), ND_REMOTE_ERROR));
    }
    ASSERT_TRUE(is(pair.b.receive(received, 64), ND_SUCCESS));
    ASSERT_TRUE(is(pair.a.send(result, 64), ND_SUCCESS)) << "the connection goes on";
    EXPECT_TRUE(comes(*pair.a.outbound.get(), result, ND_SUCCESS, 64));
}

TEST_P(Nd1Windows, TransfersOfNoBytesNeedNoDescriptor) {
    proves("ND1-EP-READ-07", "ND1-EP-WRITE-05");
    Pair pair;
    pair.connected();
    ND_RESULT result;
    const ND_MW_DESCRIPTOR nonsense{};
    for (const ND_MW_DESCRIPTOR* const descriptor : {static_cast<const ND_MW_DESCRIPTOR*>(nullptr), &nonsense}) {
        ASSERT_TRUE(is(read(pair.a, result, 0, descriptor, 99), ND_SUCCESS));
        EXPECT_TRUE(comes(*pair.a.outbound.get(), result, ND_SUCCESS));
        ASSERT_TRUE(is(write(pair.a, result, 0, descriptor, 99), ND_SUCCESS));
        EXPECT_TRUE(comes(*pair.a.outbound.get(), result, ND_SUCCESS));
    }
}

TEST_P(Nd1Windows, AReadOfNoBytesFindsOutThatThePeerIsGone) {
    if (const char* const why = support::lacks(support::Ability::half_close)) GTEST_SKIP() << why;
    proves("ND1-EP-READ-07", "ND1-EP-GEN-21");
    Pair pair;
    pair.connected();
    Request ended, ending;
    ASSERT_TRUE(is(pair.a.connector->NotifyDisconnect(ended), ND_PENDING));
    ASSERT_TRUE(is(finish(pair.b.connector->Disconnect(ending), ending), ND_SUCCESS));
    ASSERT_TRUE(is(ended.wait(), ND_SUCCESS));
    ND_RESULT result;
    ASSERT_TRUE(is(read(pair.a, result, 0, nullptr, 0), ND_SUCCESS));
    EXPECT_TRUE(comes(*pair.a.outbound.get(), result, ND_TIMEOUT));
}

TEST_P(Nd1Windows, NothingIsTransferredToOrFromAPeerThatIsGone) {
    proves("ND1-EP-GEN-21");
    for (const bool reading : {true, false})
        for (const SIZE_T bytes : {SIZE_T{8}, SIZE_T{kBytes}}) {
            SCOPED_TRACE(testing::Message() << (reading ? "Read of " : "Write of ") << bytes);
            Pair pair;
            pair.connected();
            const auto window = memory_window(*pair.b.adapter.get());
            const ND_MW_DESCRIPTOR descriptor = bind(pair, window.get());
            Request ended, ending;
            ASSERT_TRUE(is(pair.a.connector->NotifyDisconnect(ended), ND_PENDING));
            ASSERT_TRUE(is(finish(pair.b.connector->Disconnect(ending), ending), ND_SUCCESS));
            ASSERT_TRUE(is(ended.wait(), ND_SUCCESS));
            ND_RESULT result;
            ASSERT_TRUE(
                is(reading ? read(pair.a, result, bytes, &descriptor, 0) : write(pair.a, result, bytes, &descriptor, 0),
                   ND_SUCCESS));
            EXPECT_TRUE(comes(*pair.a.outbound.get(), result, ND_TIMEOUT));
        }
}

TEST_P(Nd1Windows, AReadNeedsAReadLimit) {
    if (const char* const why = support::lacks(support::Ability::settles_limits)) GTEST_SKIP() << why;
    provokes("CHECK-READ-LIMIT");
    proves("ND1-EP-READ-10", "ND1-CN-RL-04", "IW-RDMAP-15");
    Pair pair({}, {.inbound_reads = 0});
    pair.connected();
    ND_RESULT result;
    const ND_MW_DESCRIPTOR any{};
    EXPECT_TRUE(is(read(pair.a, result, 8, &any, 0), ND_INVALID_REQUEST));
}

TEST_P(Nd1Windows, ReadsBeyondTheLimitWait) {
    proves("ND1-EP-READ-08", "ND1-CN-RL-04");
    Pair pair({.outbound_reads = 1}, {});
    pair.connected();
    const auto window = memory_window(*pair.b.adapter.get());
    const ND_MW_DESCRIPTOR descriptor = bind(pair, window.get());
    std::array<ND_RESULT, 16> results;
    for (ND_RESULT& each : results) ASSERT_TRUE(is(read(pair.a, each, 64, &descriptor, 0), ND_SUCCESS));
    for (const ND_RESULT& each : results) EXPECT_TRUE(comes(*pair.a.outbound.get(), each, ND_SUCCESS, 64));
}

TEST_P(Nd1Windows, RefusedAtThePeerEndsBothEndpoints) {
    proves("ND1-EP-READ-09", "ND1-EP-WRITE-04", "ND1-MW-14", "ND1-GEN-16", "ND1-AD-DRG-03");
    for (const bool reading : {true, false}) {
        Pair pair;
        pair.connected();
        const auto window = memory_window(*pair.b.adapter.get());
        const ND_MW_DESCRIPTOR descriptor =
            bind(pair, window.get(), reading ? ND_OP_FLAG_ALLOW_WRITE : ND_OP_FLAG_ALLOW_READ);
        fill_with(pair.b.memory.bytes(), std::byte{0xEE});
        ND_RESULT result;
        Request ended;
        ASSERT_TRUE(is(pair.b.connector->NotifyDisconnect(ended), ND_PENDING));
        ASSERT_TRUE(is(reading ? read(pair.a, result, 64, &descriptor, 0) : write(pair.a, result, 64, &descriptor, 0),
                       ND_SUCCESS));
        EXPECT_TRUE(comes(*pair.a.outbound.get(), result, ND_REMOTE_ERROR));
        EXPECT_TRUE(is_filled_with(pair.b.memory.bytes(), std::byte{0xEE}));
        EXPECT_TRUE(is(ended.wait(), ND_SUCCESS));
        flush_if_it_outlives(pair.b);
        expect_over(pair);
        EXPECT_TRUE(is(deregister(*pair.b.adapter.get(), pair.b.mr), ND_SUCCESS))
            << "the window does not count any more";
    }
}

TEST_P(Nd1Windows, ADescriptorIsGoodForItsConnectionAlone) {
    proves("ND1-MW-13", "ND1-MW-14");
    Pair pair, other;
    pair.connected();
    other.connected();
    const auto window = memory_window(*pair.b.adapter.get());
    const ND_MW_DESCRIPTOR descriptor = bind(pair, window.get());
    ND_RESULT result;
    ASSERT_TRUE(is(read(other.a, result, 64, &descriptor, 0), ND_SUCCESS));
    EXPECT_TRUE(comes(*other.a.outbound.get(), result, ND_REMOTE_ERROR));
    ASSERT_TRUE(is(read(pair.a, result, 64, &descriptor, 0), ND_SUCCESS));
    EXPECT_TRUE(comes(*pair.a.outbound.get(), result, ND_SUCCESS, 64));
}

TEST_P(Nd1Windows, BindChecksItsArguments) {
    provokes("CHECK-BIND-EARLY");
    proves("ND1-EP-BIND-01", "ND1-EP-BIND-02", "ND1-EP-BIND-03", "ND1-EP-BIND-04", "ND1-EP-BIND-05", "ND1-EP-BIND-06",
           "ND1-EP-BIND-07", "ND1-EP-BIND-08", "ND1-GEN-08");
    Pair pair({}, {.outbound = 1});
    const auto window = memory_window(*pair.b.adapter.get()), foreign = memory_window(*pair.a.adapter.get());
    INDEndpoint& endpoint = *pair.b.endpoint.get();
    std::byte* const memory = pair.b.memory.data();
    const std::size_t size = pair.b.memory.size();
    const ND_MR_HANDLE mr = pair.b.mr;
    ND_RESULT result;
    ND_MW_DESCRIPTOR descriptor;
    std::memset(&descriptor, 0x5A, sizeof descriptor);
    const ND_MW_DESCRIPTOR before = descriptor;
    const auto bind_with = [&](ND_MR_HANDLE handle, INDMemoryWindow* what, const void* from, SIZE_T bytes,
                               DWORD flags) {
        return endpoint.Bind(&result, handle, what, from, bytes, flags, &descriptor);
    };
    EXPECT_TRUE(is(bind_with(mr, window.get(), memory, kBytes, kReadWrite), ND_CONNECTION_INVALID));
    pair.connected();
    EXPECT_TRUE(
        is(endpoint.Bind(nullptr, mr, window.get(), memory, kBytes, kReadWrite, &descriptor), ND_INVALID_PARAMETER_1));
    EXPECT_TRUE(is(bind_with(nullptr, window.get(), memory, kBytes, kReadWrite), ND_INVALID_PARAMETER_2));
    EXPECT_TRUE(is(bind_with(mr, nullptr, memory, kBytes, kReadWrite), ND_INVALID_PARAMETER_3));
    EXPECT_TRUE(is(bind_with(mr, foreign.get(), memory, kBytes, kReadWrite), ND_INVALID_PARAMETER_3));
    EXPECT_TRUE(is(bind_with(mr, window.get(), memory - 1, kBytes, kReadWrite), ND_INVALID_PARAMETER_4));
    EXPECT_TRUE(is(bind_with(mr, window.get(), memory + size, 1, kReadWrite), ND_INVALID_PARAMETER_4));
    EXPECT_TRUE(is(bind_with(mr, window.get(), memory + 1, size, kReadWrite), ND_INVALID_PARAMETER_5));
    EXPECT_TRUE(is(bind_with(mr, window.get(), memory, 0, kReadWrite), ND_INVALID_PARAMETER_5));
    EXPECT_TRUE(is(bind_with(mr, window.get(), memory, ~SIZE_T{0}, kReadWrite), ND_INVALID_PARAMETER_5));
    EXPECT_TRUE(is(bind_with(mr, window.get(), memory, kBytes, 0), ND_INVALID_PARAMETER_6));
    EXPECT_TRUE(is(bind_with(mr, window.get(), memory, kBytes, kReadWrite | 0x20), ND_INVALID_PARAMETER_6));
    EXPECT_TRUE(
        is(endpoint.Bind(&result, mr, window.get(), memory, kBytes, kReadWrite, nullptr), ND_INVALID_PARAMETER_7));
    EXPECT_EQ(std::memcmp(&descriptor, &before, sizeof before), 0) << "not written on failure";
    ASSERT_TRUE(is(bind_with(mr, window.get(), memory, size, kReadWrite), ND_SUCCESS));
    const auto second = memory_window(*pair.b.adapter.get());
    EXPECT_TRUE(is(bind_with(mr, second.get(), memory, kBytes, kReadWrite), ND_NO_MORE_ENTRIES));
    EXPECT_TRUE(comes(*pair.b.outbound.get(), result, ND_SUCCESS));
    EXPECT_TRUE(is(bind_with(mr, window.get(), memory, kBytes, kReadWrite), ND_INVALID_DEVICE_STATE));
    EXPECT_TRUE(is(deregister(*pair.b.adapter.get(), mr), ND_DEVICE_BUSY));
}

TEST_P(Nd1Windows, ABindOfAStaleHandleFailsAsARequest) {
    proves("ND1-EP-BIND-02", "ND1-EP-BIND-09", "ND1-EP-BIND-10");
    Pair pair;
    pair.connected();
    const auto window = memory_window(*pair.b.adapter.get());
    const ND_MR_HANDLE stale = registered(*pair.b.adapter.get(), pair.b.memory.data(), 64);
    ASSERT_TRUE(is(deregister(*pair.b.adapter.get(), stale), ND_SUCCESS));
    ND_RESULT bound, sent;
    ND_MW_DESCRIPTOR descriptor;
    ASSERT_TRUE(
        is(pair.b.endpoint->Bind(&bound, stale, window.get(), pair.b.memory.data(), 64, kReadWrite, &descriptor),
           ND_SUCCESS));
    ASSERT_TRUE(is(pair.b.send(sent, 8), ND_SUCCESS));
    EXPECT_TRUE(comes(*pair.b.outbound.get(), bound, ND_ACCESS_VIOLATION));
    EXPECT_TRUE(comes(*pair.b.outbound.get(), sent, ND_CANCELED)) << "the Send behind it is flushed";
}

TEST_P(Nd1Windows, ABindGoesBeforeTheSendThatCarriesItsDescriptor) {
    proves("ND1-EP-GEN-16", "ND1-EP-BIND-09", "ND1-EP-GEN-12", "ND1-EP-GEN-13");
    Pair pair;
    pair.connected();
    for (int round = 0; round < 20; ++round) {
        const auto window = memory_window(*pair.b.adapter.get());
        ND_RESULT bound, sent, received, got;
        ASSERT_TRUE(is(pair.a.receive(received, 64), ND_SUCCESS));
        ND_MW_DESCRIPTOR descriptor;
        ASSERT_TRUE(is(pair.b.endpoint->Bind(&bound, pair.b.mr, window.get(), pair.b.memory.data(), kBytes,
                                             ND_OP_FLAG_ALLOW_READ, &descriptor),
                       ND_SUCCESS));
        const ND_SGE carried{&descriptor, sizeof descriptor, nullptr};
        ASSERT_TRUE(is(pair.b.endpoint->Send(&sent, &carried, 1, 0), ND_SUCCESS));
        ASSERT_TRUE(comes(*pair.a.inbound.get(), received, ND_SUCCESS, sizeof descriptor));
        ND_MW_DESCRIPTOR known;
        std::memcpy(&known, pair.a.memory.data(), sizeof known);
        ASSERT_TRUE(is(read(pair.a, got, 64, &known, 0), ND_SUCCESS));
        EXPECT_TRUE(comes(*pair.a.outbound.get(), got, ND_SUCCESS, 64));
        EXPECT_TRUE(comes(*pair.b.outbound.get(), bound, ND_SUCCESS));
        EXPECT_TRUE(comes(*pair.b.outbound.get(), sent, ND_SUCCESS, sizeof descriptor));
    }
}

TEST_P(Nd1Windows, InvalidateTakesAWindowBackForAnotherBind) {
    proves("ND1-EP-INV-01", "ND1-EP-INV-02", "ND1-EP-INV-03", "ND1-EP-INV-05", "ND1-EP-INV-06", "ND1-RES-05",
           "ND1-EP-BIND-06", "ND1-MW-04", "ND1-MW-12");
    Pair pair;
    pair.connected();
    ND_RESULT report;
    const auto window = memory_window(*pair.b.adapter.get(), &report);
    const auto foreign = memory_window(*pair.a.adapter.get());
    const ND_MW_DESCRIPTOR old = bind(pair, window.get());
    EXPECT_TRUE(is(pair.b.endpoint->Invalidate(nullptr, window.get(), 0), ND_INVALID_PARAMETER_1));
    EXPECT_TRUE(is(pair.b.endpoint->Invalidate(&report, nullptr, 0), ND_INVALID_PARAMETER_2));
    EXPECT_TRUE(is(pair.b.endpoint->Invalidate(&report, foreign.get(), 0), ND_INVALID_PARAMETER_2));
    EXPECT_TRUE(is(pair.b.endpoint->Invalidate(&report, window.get(), 0x20), ND_INVALID_PARAMETER_3));
    ASSERT_TRUE(is(pair.b.endpoint->Invalidate(&report, window.get(), ND_OP_FLAG_READ_FENCE), ND_SUCCESS));
    EXPECT_TRUE(comes(*pair.b.outbound.get(), report, ND_SUCCESS)) << "the window's own result, once";
    ND_RESULT* more = nullptr;
    EXPECT_EQ(pair.b.inbound->GetResults(&more, 1), 0u);
    const ND_MW_DESCRIPTOR fresh = bind(pair, window.get());
    EXPECT_NE(std::memcmp(&old.Token, &fresh.Token, sizeof old.Token), 0);
    ND_RESULT got;
    ASSERT_TRUE(is(read(pair.a, got, 8, &old, 0), ND_SUCCESS));
    EXPECT_TRUE(comes(*pair.a.outbound.get(), got, ND_REMOTE_ERROR)) << "an old descriptor fails";
}

TEST_P(Nd1Windows, InvalidatingWhatIsNotBoundBreaksTheConnection) {
    proves("ND1-EP-INV-04", "ND1-EP-INV-05");
    Pair pair;
    pair.connected();
    const auto window = memory_window(*pair.b.adapter.get());
    ND_RESULT result;
    ASSERT_TRUE(is(pair.b.endpoint->Invalidate(&result, window.get(), 0), ND_SUCCESS));
    EXPECT_TRUE(comes(*pair.b.outbound.get(), result, ND_INVALIDATION_ERROR));
    expect_over(pair);
}

TEST_P(Nd1Windows, EndWithTheConnectionAndNotWithThePeersLeaving) {
    proves("ND1-MW-09", "ND1-MW-10", "ND1-AD-DRG-02", "ND1-AD-DRG-03", "ND1-EP-INV-07", "ND1-EP-BIND-06");
    Pair pair;
    pair.connected();
    ND_RESULT report;
    const auto window = memory_window(*pair.b.adapter.get(), &report);
    bind(pair, window.get());
    Request ended, ending;
    ASSERT_TRUE(is(pair.b.connector->NotifyDisconnect(ended), ND_PENDING));
    ASSERT_TRUE(is(finish(pair.a.connector->Disconnect(ending), ending), ND_SUCCESS));
    ASSERT_TRUE(is(ended.wait(), ND_SUCCESS));
    EXPECT_TRUE(is(deregister(*pair.b.adapter.get(), pair.b.mr), ND_DEVICE_BUSY)) << "bound yet";
    ND_RESULT invalidated;
    ASSERT_TRUE(is(pair.b.endpoint->Invalidate(&invalidated, window.get(), 0), ND_SUCCESS)) << "which is local";
    EXPECT_TRUE(comes(*pair.b.outbound.get(), invalidated, ND_SUCCESS));
    bind(pair, window.get());
    ASSERT_TRUE(is(pair.b.endpoint->Flush(), ND_SUCCESS));
    EXPECT_TRUE(is(deregister(*pair.b.adapter.get(), pair.b.mr), ND_SUCCESS));
    ND_RESULT* none = nullptr;
    EXPECT_EQ(pair.b.inbound->GetResults(&none, 1), 0u) << "nothing is reported";
}

TEST_P(Nd1Windows, ReleasedOnesGrantNothing) {
    proves("ND1-MW-11", "ND1-MW-15");
    Pair pair;
    pair.connected();
    ComPtr<INDMemoryWindow> window = memory_window(*pair.b.adapter.get());
    const ND_MW_DESCRIPTOR descriptor = bind(pair, window.get());
    EXPECT_EQ(window.reset(), 0u);
    ND_RESULT got;
    ASSERT_TRUE(is(read(pair.a, got, 8, &descriptor, 0), ND_SUCCESS));
    EXPECT_TRUE(comes(*pair.a.outbound.get(), got, ND_REMOTE_ERROR));
    ComPtr<INDMemoryWindow> outliving = memory_window(*pair.b.adapter.get());
    pair.b.endpoint.reset();
    EXPECT_EQ(outliving.reset(), 0u);
}

INSTANTIATE_TEST_SUITE_P(, Nd1Windows, testing::ValuesIn(variants_of("Nd1")), variant_name);

}  // namespace
}  // namespace opennd::conformance::nd1

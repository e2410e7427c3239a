// SPDX-License-Identifier: MIT
//
// Shared receive queues of version 2: the status of each bad argument, affinity, objects of another open. Requirements
// ND2-ADP-SRQ-01, ND2-ADP-QP-02, ND2-SRQ-AFF-01.
#include "conformance/nd2/nd2_test.h"

namespace opennd::conformance::nd2 {
namespace {

class Nd2SharedReceives : public Nd2Test {
protected:
    HRESULT create(ULONG depth, ULONG sges, ULONG threshold, ComPtr<IND2SharedReceiveQueue>* queue = nullptr) {
        ComPtr<IND2SharedReceiveQueue> made;
        const HRESULT status = adapter_->CreateSharedReceiveQueue(IID_IND2SharedReceiveQueue, file_, depth, sges,
                                                                  threshold, 0, 0, made.out());
        EXPECT_EQ(static_cast<bool>(made), SUCCEEDED(status)) << "ND2-COM-04";
        if (queue) *queue = std::move(made);
        return status;
    }

    HRESULT create_queue_pair(IUnknown* received, IUnknown* initiated, IUnknown* shared, ULONG depth, ULONG sges,
                              ULONG inline_bytes) {
        void* out = &out;
        const HRESULT status = adapter_->CreateQueuePairWithSrq(IID_IND2QueuePair, received, initiated, shared, nullptr,
                                                                depth, sges, inline_bytes, &out);
        if (FAILED(status)) {
            EXPECT_EQ(out, nullptr) << "ND2-COM-04";
        } else {
            EXPECT_EQ(static_cast<IND2QueuePair*>(out)->Release(), 0u);
        }
        return status;
    }
};

TEST_F(Nd2SharedReceives, QueueLimits) {
    proves("ND2-ADP-SRQ-01");
    const ULONG maximum = info_.MaxSharedReceiveQueueDepth;
    ASSERT_GT(maximum, 0u);
    EXPECT_TRUE(is(create(0, 1, 0), ND_INVALID_PARAMETER_3));
    EXPECT_TRUE(is(create(maximum + 1, 1, 0), ND_INVALID_PARAMETER_3));
    EXPECT_TRUE(is(create(0xFFFFFFFF, 1, 0), ND_INVALID_PARAMETER_3));
    EXPECT_TRUE(is(create(8, info_.MaxReceiveSge + 1, 0), ND_INVALID_PARAMETER_4));
    EXPECT_TRUE(is(create(8, 1, 9), ND_INVALID_PARAMETER_5));
    EXPECT_TRUE(is(create(8, 1, 8), ND_SUCCESS));
    EXPECT_TRUE(is(create(1, 0, 0), ND_SUCCESS));
    EXPECT_TRUE(is(create(maximum, info_.MaxReceiveSge, maximum), ND_SUCCESS));
}

TEST_F(Nd2SharedReceives, QueuePairLimits) {
    proves("ND2-ADP-QP-02");
    auto queue = completion_queue();
    ComPtr<IND2SharedReceiveQueue> shared;
    ASSERT_TRUE(is(create(8, 4, 0, &shared), ND_SUCCESS));
    const auto with = [&](ULONG depth, ULONG sges, ULONG inline_bytes) {
        return create_queue_pair(queue.get(), queue.get(), shared.get(), depth, sges, inline_bytes);
    };
    EXPECT_TRUE(is(with(info_.MaxInitiatorQueueDepth + 1, 1, 0), ND_INVALID_PARAMETER_6));
    EXPECT_TRUE(is(with(1, info_.MaxInitiatorSge + 1, 0), ND_INVALID_PARAMETER_7));
    EXPECT_TRUE(is(with(1, 1, info_.MaxInlineDataSize + 1), ND_INVALID_PARAMETER_8));
    EXPECT_TRUE(is(with(0, 0, 0), ND_SUCCESS));
    EXPECT_TRUE(is(with(info_.MaxInitiatorQueueDepth, info_.MaxInitiatorSge, info_.MaxInlineDataSize), ND_SUCCESS));
}

TEST_F(Nd2SharedReceives, QueuePairWantsItsOwnKindOfObject) {
    proves("ND2-ADP-QP-02", "ND2-GEN-04", "ND2-GEN-06");
    auto queue = completion_queue();
    auto region = memory_region();
    ComPtr<IND2SharedReceiveQueue> shared;
    ASSERT_TRUE(is(create(8, 4, 0, &shared), ND_SUCCESS));
    IUnknown* const good = queue.get();
    for (IUnknown* bad : {static_cast<IUnknown*>(nullptr), static_cast<IUnknown*>(region.get())}) {
        EXPECT_TRUE(is(create_queue_pair(bad, good, shared.get(), 1, 1, 0), ND_INVALID_PARAMETER_2));
        EXPECT_TRUE(is(create_queue_pair(good, bad, shared.get(), 1, 1, 0), ND_INVALID_PARAMETER_3));
        EXPECT_TRUE(is(create_queue_pair(good, good, bad, 1, 1, 0), ND_INVALID_PARAMETER_4));
    }
    EXPECT_TRUE(is(create_queue_pair(good, good, good, 1, 1, 0), ND_INVALID_PARAMETER_4));
    EXPECT_TRUE(is(create_queue_pair(shared.get(), good, shared.get(), 1, 1, 0), ND_INVALID_PARAMETER_2));
}

TEST_F(Nd2SharedReceives, QueuePairRefusesAQueueOfAnotherOpen) {
    proves("ND2-ADP-QP-02", "ND2-GEN-06", "ND2-PRV-OPEN-02", "ND2-FILE-07");
    auto queue = completion_queue();
    auto other = support::open_loopback_adapter();
    HANDLE file = nullptr;
    ASSERT_TRUE(is(other->CreateOverlappedFile(&file), ND_SUCCESS));
    ComPtr<IND2SharedReceiveQueue> foreign;
    EXPECT_TRUE(is(other->CreateSharedReceiveQueue(IID_IND2SharedReceiveQueue, file_, 4, 1, 0, 0, 0, foreign.out()),
                   ND_INVALID_HANDLE));
    ASSERT_TRUE(is(other->CreateSharedReceiveQueue(IID_IND2SharedReceiveQueue, file, 4, 1, 0, 0, 0, foreign.out()),
                   ND_SUCCESS));
    EXPECT_TRUE(is(create_queue_pair(queue.get(), queue.get(), foreign.get(), 1, 1, 0), ND_INVALID_PARAMETER_4));
    EXPECT_TRUE(is(opennd_handle_close(file), ND_SUCCESS));
}

TEST_F(Nd2SharedReceives, AffinityIsAHint) {
    proves("ND2-SRQ-AFF-01", "ND2-ADP-SRQ-01", "ND2-ADP-CQ-02");
    ComPtr<IND2SharedReceiveQueue> queue;
    ASSERT_TRUE(is(
        adapter_->CreateSharedReceiveQueue(IID_IND2SharedReceiveQueue, file_, 4, 1, 0, 99, ~KAFFINITY{0}, queue.out()),
        ND_SUCCESS));
    USHORT group = 7;
    KAFFINITY affinity = 0;
    EXPECT_TRUE(is(queue->GetNotifyAffinity(&group, &affinity), ND_SUCCESS));
    EXPECT_EQ(group, 0u);
    EXPECT_NE(affinity, 0u);
    EXPECT_TRUE(is(queue->GetNotifyAffinity(nullptr, &affinity), ND_INVALID_PARAMETER));
    EXPECT_TRUE(is(queue->GetNotifyAffinity(&group, nullptr), ND_INVALID_PARAMETER));
}

TEST_F(Nd2SharedReceives, PostingReportsEachMistake) {
    proves("ND2-SRQ-RECV-01", "ND2-QP-POST-03", "ND2-GEN-04");
    ComPtr<IND2SharedReceiveQueue> queue;
    ASSERT_TRUE(is(create(1, 1, 1, &queue), ND_SUCCESS));
    EXPECT_TRUE(is(queue->Receive(nullptr, nullptr, 1), ND_INVALID_PARAMETER_2));
    EXPECT_TRUE(is(queue->Notify(nullptr), ND_INVALID_PARAMETER));
    ND2_SGE many[17]{};
    EXPECT_TRUE(is(queue->Receive(nullptr, many, 17), ND_DATA_OVERRUN));
    EXPECT_TRUE(is(queue->Receive(nullptr, many, 2), ND_SUCCESS)) << "rounded up as that of a queue pair";
    EXPECT_TRUE(is(queue->Receive(nullptr, nullptr, 0), ND_NO_MORE_ENTRIES));
}

}  // namespace
}  // namespace opennd::conformance::nd2

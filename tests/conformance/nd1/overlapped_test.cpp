// SPDX-License-Identifier: MIT
//
// Overlapped requests of version 1: the fields of an OVERLAPPED over time, packets, GetOverlappedResult. Requirements
// ND1-OV-*.
#include <thread>

#include "conformance/nd1/nd1_test.h"

namespace opennd::conformance::nd1 {
namespace {

class Nd1Overlapped : public Nd1Test {
protected:
    Nd1Overlapped() {
        require(opennd_port_create(&port_), ND_SUCCESS, "opennd_port_create");
        require(opennd_port_associate(port_, adapter_->GetFileHandle(), 5), ND_SUCCESS, "opennd_port_associate");
    }
    ~Nd1Overlapped() override { opennd_handle_close(port_); }

    // The packets that are there; waits for the first if `wait`.
    ULONG packets(bool wait = false) {
        ULONG count = 0;
        opennd_port_wait(port_, taken_, 8, wait ? 10'000 : 0, &count);
        return count;
    }

    ComPtr<INDAdapter> adapter_ = open_adapter();
    HANDLE port_ = nullptr;
    opennd_packet taken_[8];
    std::array<std::byte, 64> memory_;
};

TEST_P(Nd1Overlapped, AnInlineSuccessLeavesAPacketToo) {
    proves("ND1-OV-01", "ND1-OV-02", "ND1-OV-03", "ND1-OV-04", "ND1-OV-08", "ND1-OV-13", "ND1-GEN-02");
    OVERLAPPED overlapped;
    std::memset(static_cast<void*>(&overlapped), 0xA5, sizeof overlapped);
    overlapped.hEvent = nullptr;
    ND_MR_HANDLE handle = nullptr;
    ASSERT_TRUE(is(adapter_->RegisterMemory(memory_.data(), memory_.size(), &overlapped, &handle), ND_SUCCESS));
    EXPECT_EQ(overlapped.Internal, 0u);
    EXPECT_EQ(overlapped.InternalHigh, 0u);
    ASSERT_EQ(packets(), 1u);
    EXPECT_EQ(taken_[0].overlapped, &overlapped);
    EXPECT_EQ(taken_[0].key, 5u);
    ASSERT_TRUE(is(adapter_->DeregisterMemory(handle, &overlapped), ND_SUCCESS)) << "it may be used again";
    EXPECT_EQ(packets(), 1u);
}

TEST_P(Nd1Overlapped, AFailureLeavesNothing) {
    proves("ND1-OV-05", "ND1-OV-11", "ND1-GEN-03");
    Request request;
    ND_MR_HANDLE handle = nullptr;
    EXPECT_TRUE(is(adapter_->RegisterMemory(nullptr, 1, request, &handle), ND_ACCESS_VIOLATION));
    EXPECT_EQ(packets(), 0u);
    EXPECT_EQ(request.overlapped.Internal, 0xA5A5A5A5A5A5A5A5u);
    EXPECT_TRUE(is(opennd_event_wait(request.event(), 0), ND_SUCCESS)) << "as it was";
}

TEST_P(Nd1Overlapped, BitZeroOfTheEventAsksForNoPacket) {
    proves("ND1-OV-07", "ND1-OV-12", "ND1-OV-14");
    HANDLE event = nullptr;
    ASSERT_TRUE(is(opennd_event_create(TRUE, FALSE, &event), ND_SUCCESS));
    const auto marked = reinterpret_cast<HANDLE>(reinterpret_cast<std::uintptr_t>(event) | 1);
    {
        OVERLAPPED overlapped{};
        overlapped.hEvent = marked;
        ND_MR_HANDLE handle = nullptr;
        ASSERT_TRUE(is(adapter_->RegisterMemory(memory_.data(), memory_.size(), &overlapped, &handle), ND_SUCCESS));
        EXPECT_TRUE(is(opennd_event_wait(marked, 0), ND_SUCCESS));
        ASSERT_TRUE(is(adapter_->DeregisterMemory(handle, &overlapped), ND_SUCCESS));
    }
    EXPECT_EQ(packets(), 0u);
    EXPECT_TRUE(is(opennd_handle_close(marked), ND_SUCCESS)) << "the very value that was stored";
}

TEST_P(Nd1Overlapped, AFailedOutcomeIsInThePacketByValue) {
    proves("ND1-OV-03", "ND1-OV-06", "ND1-OV-CXL-02", "ND1-OV-CXL-11", "ND1-OV-10");
    auto queue = completion_queue(*adapter_.get());
    auto overlapped = std::make_unique<OVERLAPPED>();
    ASSERT_TRUE(is(queue->Notify(ND_CQ_NOTIFY_ANY, overlapped.get()), ND_PENDING));
    EXPECT_EQ(overlapped->Internal, static_cast<ULONG_PTR>(ND_PENDING));
    EXPECT_EQ(packets(), 0u);
    EXPECT_TRUE(is(queue->CancelOverlappedRequests(), ND_SUCCESS));
    OVERLAPPED* const gone = overlapped.get();
    queue.reset();
    overlapped.reset();
    ASSERT_EQ(packets(), 1u);
    EXPECT_EQ(taken_[0].overlapped, gone);
    EXPECT_EQ(taken_[0].status, static_cast<ULONG_PTR>(static_cast<std::uint32_t>(ND_CANCELED)));
}

TEST_P(Nd1Overlapped, GetOverlappedResultGivesTheStatusItself) {
    provokes("CHECK-OTHER-OBJECT");
    proves("ND1-OV-GOR-01", "ND1-OV-GOR-02", "ND1-OV-GOR-03", "ND1-OV-GOR-04", "ND1-OV-GOR-05", "ND1-OV-GOR-06",
           "ND1-OV-GOR-07", "ND1-OV-GOR-08", "ND1-OV-09");
    const auto queue = completion_queue(*adapter_.get());
    OVERLAPPED overlapped{};
    SIZE_T bytes = 7;
    ASSERT_TRUE(is(queue->Notify(ND_CQ_NOTIFY_ANY, &overlapped), ND_PENDING));
    EXPECT_TRUE(is(queue->GetOverlappedResult(&overlapped, &bytes, FALSE), ND_PENDING));
    EXPECT_EQ(bytes, 0u);
    EXPECT_TRUE(is(queue->GetOverlappedResult(nullptr, &bytes, FALSE), ND_INVALID_PARAMETER_1));
    EXPECT_TRUE(is(queue->GetOverlappedResult(&overlapped, nullptr, FALSE), ND_INVALID_PARAMETER_2));
    std::thread canceller([&] { queue->CancelOverlappedRequests(); });
    EXPECT_TRUE(is(adapter_->GetOverlappedResult(&overlapped, &bytes, TRUE), ND_CANCELED)) << "of any object";
    canceller.join();
    for (int i = 0; i < 2; ++i) EXPECT_TRUE(is(queue->GetOverlappedResult(&overlapped, &bytes, FALSE), ND_CANCELED));
    EXPECT_EQ(packets(), 1u) << "it takes no packet";
    EXPECT_TRUE(is(queue->GetOverlappedResult(&overlapped, &bytes, TRUE), ND_CANCELED));
    ASSERT_TRUE(is(queue->Notify(ND_CQ_NOTIFY_ANY, &overlapped), ND_PENDING)) << "the structure serves again";
    EXPECT_TRUE(is(queue->CancelOverlappedRequests(), ND_SUCCESS));
}

TEST_P(Nd1Overlapped, TheEventIsSetWhenThePacketIsTaken) {
    proves("ND1-OV-02", "ND1-OV-12");
    const auto queue = completion_queue(*adapter_.get());
    for (int round = 0; round < 100; ++round) {
        Request request;
        ASSERT_TRUE(is(queue->Notify(ND_CQ_NOTIFY_ANY, request), ND_PENDING));
        std::thread canceller([&] { queue->CancelOverlappedRequests(); });
        ASSERT_EQ(packets(true), 1u);
        EXPECT_TRUE(is(opennd_event_wait(request.event(), 0), ND_SUCCESS));
        canceller.join();
    }
}

INSTANTIATE_TEST_SUITE_P(, Nd1Overlapped, testing::ValuesIn(variants_of("Nd1")), variant_name);

}  // namespace
}  // namespace opennd::conformance::nd1

// SPDX-License-Identifier: MIT
//
// Overlapped requests: OVERLAPPED, events, completion ports, cancelling. Requirements ND2-OVL-*, ND2-FILE-*.
#include <cstring>
#include <thread>

#include "conformance/nd2/nd2_test.h"

namespace opennd::conformance::nd2 {
namespace {

class Overlapped : public Nd2Test {
protected:
    Overlapped() { support::require(opennd_port_create(&port_), ND_SUCCESS, "opennd_port_create"); }
    ~Overlapped() override { opennd_handle_close(port_); }

    void associate(ULONG_PTR key = 42) { ASSERT_TRUE(is(opennd_port_associate(port_, file_, key), ND_SUCCESS)); }

    testing::AssertionResult port_is_empty() {
        opennd_packet packet{};
        ULONG count = 0;
        return is(opennd_port_wait(port_, &packet, 1, 0, &count), ND_TIMEOUT);
    }

    // The next packet; its overlapped is NULL if none came in time.
    opennd_packet next_packet(DWORD timeout_ms = kWaitMs) {
        opennd_packet packet{};
        ULONG count = 0;
        EXPECT_TRUE(is(opennd_port_wait(port_, &packet, 1, timeout_ms, &count), ND_SUCCESS));
        return packet;
    }

    HRESULT arm(OVERLAPPED* overlapped) { return queue_->Notify(ND_CQ_NOTIFY_ANY, overlapped); }

    ComPtr<IND2CompletionQueue> queue_ = completion_queue();
    HANDLE port_ = nullptr;
};

TEST_F(Overlapped, RequestIsPendingWhateverItsMemoryHeld) {
    proves("ND2-OVL-01", "ND2-OVL-04", "ND2-OVL-17", "ND2-OVL-20", "ND2-OVL-21", "ND2-CLI-54");
    OVERLAPPED overlapped;
    std::memset(&overlapped, 0xA5, sizeof overlapped);
    overlapped.hEvent = nullptr;
    ASSERT_TRUE(is(arm(&overlapped), ND_PENDING));
    EXPECT_EQ(overlapped.Internal, static_cast<ULONG_PTR>(ND_PENDING));
    EXPECT_EQ(overlapped.InternalHigh, 0u);
    EXPECT_TRUE(is(queue_->GetOverlappedResult(&overlapped, FALSE), ND_PENDING));
    EXPECT_TRUE(is(queue_->CancelOverlappedRequests(), ND_SUCCESS));
    EXPECT_TRUE(is(static_cast<HRESULT>(overlapped.Internal), ND_CANCELED));
    EXPECT_TRUE(is(queue_->GetOverlappedResult(&overlapped, FALSE), ND_CANCELED));
    EXPECT_TRUE(is(queue_->GetOverlappedResult(&overlapped, FALSE), ND_CANCELED)) << "any number of times (ND2-OVL-17)";
    EXPECT_TRUE(is(queue_->GetOverlappedResult(&overlapped, TRUE), ND_CANCELED)) << "ND2-OVL-20";
}

TEST_F(Overlapped, NullIsReportedInline) {
    proves("ND2-GEN-05", "ND2-GEN-04");
    support::Buffer memory(64);
    EXPECT_TRUE(is(arm(nullptr), ND_INVALID_PARAMETER));
    EXPECT_TRUE(is(memory_region()->Register(memory.data(), 64, 0, nullptr), ND_INVALID_PARAMETER));
}

TEST_F(Overlapped, InlineFailureTouchesNothing) {
    proves("ND2-OVL-02", "ND2-CQ-NTF-01");
    associate();
    OverlappedRequest request;
    ASSERT_TRUE(is(opennd_event_set(request.event()), ND_SUCCESS));
    request.get()->Internal = 0x1234;
    EXPECT_TRUE(is(queue_->Notify(3, request.get()), ND_INVALID_PARAMETER));
    EXPECT_EQ(request.get()->Internal, 0x1234u);
    EXPECT_TRUE(is(opennd_event_wait(request.event(), 0), ND_SUCCESS)) << "the event was not reset";
    EXPECT_TRUE(port_is_empty());
}

TEST_F(Overlapped, EventIsResetOnAcceptanceAndSetOnCompletion) {
    proves("ND2-OVL-04", "ND2-OVL-07");
    OverlappedRequest request;
    ASSERT_TRUE(is(opennd_event_set(request.event()), ND_SUCCESS));
    ASSERT_TRUE(is(arm(request.get()), ND_PENDING));
    EXPECT_TRUE(is(opennd_event_wait(request.event(), 0), ND_TIMEOUT)) << "reset before the call returned";
    ASSERT_TRUE(is(queue_->CancelOverlappedRequests(), ND_SUCCESS));
    EXPECT_TRUE(is(opennd_event_wait(request.event(), 0), ND_SUCCESS));
}

TEST_F(Overlapped, PacketCarriesKeyStatusAndRequest) {
    proves("ND2-OVL-11", "ND2-FILE-05");
    associate(0xABCDEF);
    OverlappedRequest request;
    ASSERT_TRUE(is(arm(request.get()), ND_PENDING));
    EXPECT_TRUE(port_is_empty());
    ASSERT_TRUE(is(queue_->CancelOverlappedRequests(), ND_SUCCESS));
    const opennd_packet packet = next_packet(0);
    EXPECT_EQ(packet.key, 0xABCDEFu);
    EXPECT_EQ(packet.overlapped, request.get());
    EXPECT_TRUE(is(static_cast<HRESULT>(packet.status), ND_CANCELED));
    EXPECT_EQ(packet.bytes, 0u);
    EXPECT_TRUE(port_is_empty()) << "one request, one packet";
}

TEST_F(Overlapped, EventAndPacketAreBothProduced) {
    proves("ND2-OVL-08", "ND2-CLI-82");
    associate();
    OverlappedRequest request;
    support::Buffer memory(64);
    auto region = memory_region();
    ASSERT_TRUE(is(finish(region->Register(memory.data(), 64, 0, request.get()), request, region.get()), ND_SUCCESS));
    EXPECT_EQ(next_packet().overlapped, request.get());
}

TEST_F(Overlapped, LowestBitOfTheEventMeansNoPacket) {
    proves("ND2-OVL-05", "ND2-CLI-36", "ND2-CLI-70");
    associate();
    OverlappedRequest request;
    const auto tagged = reinterpret_cast<HANDLE>(reinterpret_cast<ULONG_PTR>(request.event()) | 1);
    request.get()->hEvent = tagged;
    ASSERT_TRUE(is(arm(request.get()), ND_PENDING));
    ASSERT_TRUE(is(queue_->CancelOverlappedRequests(), ND_SUCCESS));
    EXPECT_TRUE(is(opennd_event_wait(tagged, 0), ND_SUCCESS)) << "the event is set all the same";
    EXPECT_TRUE(port_is_empty());
}

TEST_F(Overlapped, TaggedHandleClosesTheEvent) {
    proves("ND2-OVL-05", "ND2-CLI-36");
    HANDLE event = nullptr;
    ASSERT_TRUE(is(opennd_event_create(TRUE, FALSE, &event), ND_SUCCESS));
    const auto tagged = reinterpret_cast<HANDLE>(reinterpret_cast<ULONG_PTR>(event) | 1);
    EXPECT_TRUE(is(opennd_handle_close(tagged), ND_SUCCESS));
    EXPECT_TRUE(is(opennd_handle_close(event), ND_INVALID_HANDLE)) << "closed already";
    EXPECT_TRUE(is(opennd_event_set(event), ND_INVALID_HANDLE));
}

TEST_F(Overlapped, LowBitsAloneAreNoEvent) {
    proves("ND2-OVL-05");
    associate();
    OVERLAPPED overlapped{};
    overlapped.hEvent = reinterpret_cast<HANDLE>(ULONG_PTR{1});
    ASSERT_TRUE(is(arm(&overlapped), ND_PENDING));
    EXPECT_TRUE(is(queue_->CancelOverlappedRequests(), ND_SUCCESS));
    EXPECT_TRUE(port_is_empty());
}

TEST_F(Overlapped, AHandleThatIsNoEventIsRefused) {
    proves("ND2-OVL-05");
    OVERLAPPED overlapped{};
    overlapped.hEvent = file_;
    EXPECT_TRUE(is(arm(&overlapped), ND_INVALID_HANDLE));
    opennd_error error{};
    error.bytes = sizeof error;
    ASSERT_TRUE(is(opennd_last_error(&error), ND_SUCCESS));
    EXPECT_STREQ(error.limit, "an open event (NULL: none)");
    EXPECT_STREQ(error.remedy, "pass the handle of the event (NULL: none), before it is closed");
}

TEST_F(Overlapped, EventMayBeClosedWhileTheRequestIsPending) {
    proves("ND2-OVL-06");
    OVERLAPPED overlapped{};
    ASSERT_TRUE(is(opennd_event_create(TRUE, FALSE, &overlapped.hEvent), ND_SUCCESS));
    ASSERT_TRUE(is(arm(&overlapped), ND_PENDING));
    EXPECT_TRUE(is(opennd_handle_close(overlapped.hEvent), ND_SUCCESS));
    EXPECT_TRUE(is(queue_->CancelOverlappedRequests(), ND_SUCCESS));
    EXPECT_TRUE(is(static_cast<HRESULT>(overlapped.Internal), ND_CANCELED));
}

TEST_F(Overlapped, CancelCompletesInTheOrderOfSubmission) {
    proves("ND2-OVL-12", "ND2-OVL-10", "ND2-CLI-30");
    associate();
    OVERLAPPED requests[5]{};
    for (OVERLAPPED& request : requests) ASSERT_TRUE(is(arm(&request), ND_PENDING));
    ASSERT_TRUE(is(queue_->CancelOverlappedRequests(), ND_SUCCESS));
    for (OVERLAPPED& request : requests) EXPECT_EQ(next_packet(0).overlapped, &request);
}

// Vector 12.
TEST_F(Overlapped, CancelOfTwoQueuesGivesPacketsInTheOrderOfTheCancels) {
    proves("ND2-OVL-10", "ND2-OVL-12", "ND2-CLI-30");
    auto second_queue = completion_queue(info_.MaxCompletionQueueDepth);
    associate();
    OVERLAPPED first{}, second{};
    for (int round = 0; round < 1000; ++round) {
        ASSERT_TRUE(is(arm(&first), ND_PENDING));
        ASSERT_TRUE(is(second_queue->Notify(ND_CQ_NOTIFY_ANY, &second), ND_PENDING));
        ASSERT_TRUE(is(second_queue->CancelOverlappedRequests(), ND_SUCCESS));
        ASSERT_TRUE(is(queue_->CancelOverlappedRequests(), ND_SUCCESS));
        ASSERT_EQ(next_packet(0).overlapped, &second) << round;
        ASSERT_EQ(next_packet(0).overlapped, &first) << round;
        ASSERT_TRUE(is(queue_->GetOverlappedResult(&first, FALSE), ND_CANCELED));
    }
}

TEST_F(Overlapped, OneEventCompletesNotificationsInTheOrderOfSubmission) {
    proves("ND2-CQ-NTF-10");
    associate();
    auto pair = queue_pair(queue_.get());
    OVERLAPPED requests[4]{};
    for (OVERLAPPED& request : requests) ASSERT_TRUE(is(arm(&request), ND_PENDING));
    ASSERT_TRUE(is(pair->Receive(nullptr, nullptr, 0), ND_SUCCESS));
    ASSERT_TRUE(is(pair->Flush(), ND_SUCCESS));
    for (OVERLAPPED& request : requests) EXPECT_EQ(next_packet().overlapped, &request);
}

TEST_F(Overlapped, ResultIsReadThroughAnyObject) {
    provokes("CHECK-OTHER-OBJECT");
    proves("ND2-OVL-19", "ND2-CLI-04", "ND2-CLI-55");
    support::Buffer memory(64);
    auto region = memory_region();
    auto other_adapter = support::open_loopback_adapter();
    HANDLE other_file = nullptr;
    ASSERT_TRUE(is(other_adapter->CreateOverlappedFile(&other_file), ND_SUCCESS));
    ComPtr<IND2MemoryRegion> other;
    ASSERT_TRUE(is(other_adapter->CreateMemoryRegion(IID_IND2MemoryRegion, other_file, other.out()), ND_SUCCESS));
    OVERLAPPED overlapped{};
    ASSERT_TRUE(is(region->Register(memory.data(), 64, 0, &overlapped), ND_PENDING));
    EXPECT_TRUE(is(queue_->GetOverlappedResult(&overlapped, TRUE), ND_SUCCESS));
    EXPECT_TRUE(is(other->GetOverlappedResult(&overlapped, FALSE), ND_SUCCESS));
    EXPECT_TRUE(is(opennd_handle_close(other_file), ND_SUCCESS));
}

TEST_F(Overlapped, WaitingWithoutAnEventWorksWhileOthersPend) {
    proves("ND2-OVL-18", "ND2-OVL-23", "ND2-CLI-94", "ND2-CLI-115");
    OVERLAPPED stays{}, ends{};
    auto second_queue = completion_queue();
    ASSERT_TRUE(is(second_queue->Notify(ND_CQ_NOTIFY_ANY, &stays), ND_PENDING));
    ASSERT_TRUE(is(arm(&ends), ND_PENDING));
    HRESULT waited = ND_PENDING;
    std::thread waiter([&] { waited = queue_->GetOverlappedResult(&ends, TRUE); });
    EXPECT_TRUE(is(queue_->CancelOverlappedRequests(), ND_SUCCESS));
    waiter.join();
    EXPECT_TRUE(is(waited, ND_CANCELED));
    EXPECT_TRUE(is(second_queue->GetOverlappedResult(&stays, FALSE), ND_PENDING));
    EXPECT_TRUE(is(second_queue->CancelOverlappedRequests(), ND_SUCCESS));
}

TEST_F(Overlapped, ResultWithoutWaitingLeavesAnAutoResetEventSet) {
    proves("ND2-OVL-18");
    OVERLAPPED overlapped{};
    ASSERT_TRUE(is(opennd_event_create(FALSE, FALSE, &overlapped.hEvent), ND_SUCCESS));
    ASSERT_TRUE(is(arm(&overlapped), ND_PENDING));
    ASSERT_TRUE(is(queue_->CancelOverlappedRequests(), ND_SUCCESS));
    EXPECT_TRUE(is(queue_->GetOverlappedResult(&overlapped, TRUE), ND_CANCELED)) << "complete already: did not wait";
    EXPECT_TRUE(is(opennd_event_wait(overlapped.hEvent, 0), ND_SUCCESS)) << "untouched";
    EXPECT_TRUE(is(opennd_event_wait(overlapped.hEvent, 0), ND_TIMEOUT)) << "auto-reset";
    EXPECT_TRUE(is(opennd_handle_close(overlapped.hEvent), ND_SUCCESS));
}

TEST_F(Overlapped, FileMayBeClosedWhileRequestsPend) {
    proves("ND2-FILE-02", "ND2-FILE-03", "ND2-AMB-53", "ND2-CLI-90");
    associate();
    OverlappedRequest request;
    ASSERT_TRUE(is(arm(request.get()), ND_PENDING));
    EXPECT_TRUE(is(opennd_handle_close(file_), ND_SUCCESS));
    EXPECT_TRUE(is(opennd_handle_close(file_), ND_INVALID_HANDLE)) << "closing twice fails without harm";
    EXPECT_TRUE(is(queue_->GetOverlappedResult(request.get(), FALSE), ND_PENDING));
    EXPECT_TRUE(is(queue_->CancelOverlappedRequests(), ND_SUCCESS));
    EXPECT_EQ(next_packet(0).overlapped, request.get());
}

TEST_F(Overlapped, PortMayBeClosedWhileRequestsPend) {
    proves("ND2-FILE-02");
    associate();
    OverlappedRequest request;
    ASSERT_TRUE(is(arm(request.get()), ND_PENDING));
    EXPECT_TRUE(is(opennd_handle_close(port_), ND_SUCCESS));
    EXPECT_TRUE(is(queue_->CancelOverlappedRequests(), ND_SUCCESS));
    EXPECT_TRUE(is(request.wait(queue_.get()), ND_CANCELED));
}

TEST_F(Overlapped, PacketIsDueIfTheFileIsAssociatedWhenTheRequestCompletes) {
    proves("ND2-OVL-09", "ND2-FILE-05");
    OVERLAPPED before{}, after{};
    ASSERT_TRUE(is(arm(&before), ND_PENDING));
    ASSERT_TRUE(is(queue_->CancelOverlappedRequests(), ND_SUCCESS));
    ASSERT_TRUE(is(arm(&after), ND_PENDING));
    associate();
    EXPECT_TRUE(port_is_empty()) << "nothing for a request that completed before";
    ASSERT_TRUE(is(queue_->CancelOverlappedRequests(), ND_SUCCESS));
    EXPECT_EQ(next_packet(0).overlapped, &after);
}

TEST_F(Overlapped, SecondAssociationFails) {
    proves("ND2-FILE-06");
    associate();
    HANDLE second = nullptr;
    ASSERT_TRUE(is(opennd_port_create(&second), ND_SUCCESS));
    EXPECT_TRUE(is(opennd_port_associate(second, file_, 1), ND_INVALID_PARAMETER));
    EXPECT_TRUE(is(opennd_handle_close(second), ND_SUCCESS));
}

}  // namespace
}  // namespace opennd::conformance::nd2

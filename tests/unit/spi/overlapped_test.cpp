// SPDX-License-Identifier: MIT
#include "spi/overlapped.h"

#include <gtest/gtest.h>

#include <thread>

#include "platform/waiting/completion_port.h"
#include "platform/waiting/handle_table.h"
#include "support/requirement.h"

namespace opennd {
namespace {

using support::proves;

constexpr ULONG_PTR kPendingInternal = 0x103;
constexpr std::uintptr_t kKey = 77;

HANDLE tagged(HANDLE handle) { return reinterpret_cast<HANDLE>(reinterpret_cast<std::uintptr_t>(handle) | 1); }

class OverlappedTest : public testing::Test {
protected:
    ~OverlappedTest() override {
        if (ok(handle_table().close(event_handle_))) return;
    }

    std::unique_ptr<AsyncRequest> start() {
        std::unique_ptr<AsyncRequest> request;
        EXPECT_EQ(Overlapped::create(&overlapped_, file_, kNd2Overlapped, request), ND_SUCCESS);
        request->begin();
        return request;
    }
    bool signalled() { return ok(event_->wait(now())); }
    std::size_t packets() {
        const Result<std::size_t> taken = port_->wait({&packet_, 1}, now());
        return taken.ok() ? taken.value() : 0;
    }

    Ref<Event> event_ = make_ref<Event>(EventReset::automatic, false);
    HANDLE event_handle_ = handle_table().insert(event_);
    Ref<OverlappedFile> file_ = make_ref<OverlappedFile>(nullptr);
    Ref<CompletionPort> port_ = CompletionPort::create().take();
    CompletionPacket packet_;
    OVERLAPPED overlapped_{.Internal = 12345, .InternalHigh = 6789, .Pointer = nullptr, .hEvent = nullptr};
};

TEST_F(OverlappedTest, IsPendingFromBeginOn) {
    proves("ND2-OVL-04", "ND2-OVL-17");
    overlapped_.hEvent = event_handle_;
    event_->set();
    const std::unique_ptr<AsyncRequest> request = start();
    EXPECT_EQ(overlapped_.Internal, kPendingInternal);
    EXPECT_EQ(overlapped_.InternalHigh, 0u);
    EXPECT_FALSE(signalled());
    EXPECT_EQ(overlapped_result(&overlapped_, false), ND_PENDING);
    request->complete(Status::canceled);
    EXPECT_EQ(overlapped_result(&overlapped_, false), ND_CANCELED);
    EXPECT_EQ(overlapped_.Internal, 0xC0000120u);
}

TEST_F(OverlappedTest, IsNotTouchedWhenRefused) {
    proves("ND2-OVL-02");
    EXPECT_EQ(submit(&overlapped_, nullptr, file_, kNd2Overlapped,
                     [](std::unique_ptr<AsyncRequest>) { return Status::invalid_state; }),
              ND_INVALID_DEVICE_STATE);
    EXPECT_EQ(overlapped_.Internal, 12345u);
    EXPECT_EQ(
        submit(nullptr, nullptr, file_, kNd2Overlapped, [](std::unique_ptr<AsyncRequest>) { return Status::success; }),
        ND_INVALID_PARAMETER);
}

TEST_F(OverlappedTest, NeverSucceedsInline) {
    proves("ND2-OVL-01");
    EXPECT_EQ(submit(&overlapped_, nullptr, file_, kNd2Overlapped,
                     [](std::unique_ptr<AsyncRequest> request) {
                         request->begin();
                         request->complete(Status::success);
                         return Status::success;
                     }),
              ND_PENDING);
    EXPECT_EQ(overlapped_result(&overlapped_, false), ND_SUCCESS);
}

TEST_F(OverlappedTest, LeavesEventAndPacket) {
    proves("ND2-OVL-08", "ND2-OVL-11");
    ASSERT_EQ(file_->associate(port_, kKey), Status::success);
    overlapped_.hEvent = event_handle_;
    start()->complete(Status::connection_refused);
    EXPECT_TRUE(signalled());
    ASSERT_EQ(packets(), 1u);
    EXPECT_EQ(packet_.key, kKey);
    EXPECT_EQ(packet_.overlapped, &overlapped_);
    EXPECT_EQ(static_cast<HRESULT>(packet_.status), ND_CONNECTION_REFUSED);
}

TEST_F(OverlappedTest, LeavesNoPacketIfTheEventIsTagged) {
    proves("ND2-OVL-05");
    ASSERT_EQ(file_->associate(port_, kKey), Status::success);
    overlapped_.hEvent = tagged(event_handle_);
    start()->complete(Status::success);
    EXPECT_TRUE(signalled());
    EXPECT_EQ(packets(), 0u);
    overlapped_.hEvent = tagged(nullptr);
    start()->complete(Status::success);
    EXPECT_EQ(packets(), 0u);
}

TEST_F(OverlappedTest, NeedsNoHandleAfterSubmission) {
    proves("ND2-OVL-06", "ND2-OVL-09");
    overlapped_.hEvent = event_handle_;
    const std::unique_ptr<AsyncRequest> request = start();
    EXPECT_EQ(handle_table().close(event_handle_), Status::success);
    ASSERT_EQ(file_->associate(port_, kKey), Status::success);
    request->complete(Status::success);
    EXPECT_TRUE(signalled());
    EXPECT_EQ(packets(), 1u);
}

TEST_F(OverlappedTest, RefusesWhatIsNoEvent) {
    const HANDLE file_handle = handle_table().insert(file_);
    overlapped_.hEvent = file_handle;
    std::unique_ptr<AsyncRequest> request;
    EXPECT_EQ(Overlapped::create(&overlapped_, file_, kNd2Overlapped, request), ND_INVALID_HANDLE);
    EXPECT_EQ(handle_table().close(file_handle), Status::success);
}

TEST_F(OverlappedTest, IsWaitedForWithoutAnEvent) {
    proves("ND2-OVL-18");
    const std::unique_ptr<AsyncRequest> request = start();
    std::thread completer([&] { request->complete(Status::timed_out); });
    EXPECT_EQ(overlapped_result(&overlapped_, true), ND_IO_TIMEOUT);
    completer.join();
}

TEST_F(OverlappedTest, WaitingConsumesAnAutomaticEvent) {
    proves("ND2-OVL-18");
    overlapped_.hEvent = event_handle_;
    std::unique_ptr<AsyncRequest> request = start();
    std::thread completer([&] { request->complete(Status::success); });
    EXPECT_EQ(overlapped_result(&overlapped_, true), ND_SUCCESS);
    completer.join();
    // If the wait began too late to be one, the event is left alone: then it is signalled now.
    event_->reset();
    request = start();
    request->complete(Status::success);
    EXPECT_EQ(overlapped_result(&overlapped_, true), ND_SUCCESS);
    EXPECT_TRUE(signalled()) << "a call that did not wait took the signal";
}

}  // namespace
}  // namespace opennd

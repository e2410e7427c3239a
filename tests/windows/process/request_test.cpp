// SPDX-License-Identifier: MIT
// Requests of Network Direct seen through Win32: packets, callbacks, GetOverlappedResult.
#include <gtest/gtest.h>
#include <ndspi.h>

#include <atomic>
#include <mutex>
#include <vector>

#include "support/adapter.h"
#include "support/deadline.h"
#include "support/requirement.h"
#include "windows/soon.h"

namespace opennd {
namespace {

using support::ComPtr;
using support::proves;
using support::wait_until;

class Request : public testing::Test {
protected:
    Request() {
        EXPECT_EQ(adapter_->CreateOverlappedFile(&file_), ND_SUCCESS);
        EXPECT_EQ(adapter_->CreateCompletionQueue(IID_IND2CompletionQueue, file_, 16, 0, 0, queue_.out()), ND_SUCCESS);
    }
    ~Request() override {
        queue_.reset();
        CloseHandle(file_);
    }

    void notify(OVERLAPPED& overlapped) { ASSERT_EQ(queue_->Notify(ND_CQ_NOTIFY_ANY, &overlapped), ND_PENDING); }

    support::Startup startup_;
    ComPtr<IND2Adapter> adapter_ = support::open_loopback_adapter();
    HANDLE file_ = nullptr;
    ComPtr<IND2CompletionQueue> queue_;
};

TEST_F(Request, LeavesAPacketThatSaysHowItWent) {
    proves("ND2-OVL-11", "ND2-FILE-01", "ND2-FILE-05", "ND2-FILE-06", "ND2-CLI-30");
    const HANDLE port = CreateIoCompletionPort(file_, nullptr, 42, 0);
    ASSERT_NE(port, nullptr);
    EXPECT_EQ(CreateIoCompletionPort(file_, port, 43, 0), nullptr);
    EXPECT_EQ(GetLastError(), DWORD{ERROR_INVALID_PARAMETER});
    OVERLAPPED overlapped{};
    notify(overlapped);
    ASSERT_EQ(queue_->CancelOverlappedRequests(), ND_SUCCESS);
    DWORD bytes = 7;
    ULONG_PTR key = 0;
    OVERLAPPED* taken = nullptr;
    SetLastError(0);
    EXPECT_FALSE(GetQueuedCompletionStatus(port, &bytes, &key, &taken, 0));
    EXPECT_EQ(taken, &overlapped);
    EXPECT_EQ(key, 42u);
    EXPECT_EQ(bytes, 0u);
    EXPECT_EQ(GetLastError(), DWORD{ERROR_OPERATION_ABORTED});
    EXPECT_TRUE(CloseHandle(port));
}

TEST_F(Request, IsAskedForThroughWin32) {
    proves("ND2-OVL-21");
    OVERLAPPED overlapped{};
    notify(overlapped);
    DWORD bytes = 7;
    EXPECT_FALSE(HasOverlappedIoCompleted(&overlapped));
    EXPECT_FALSE(GetOverlappedResult(file_, &overlapped, &bytes, FALSE));
    EXPECT_EQ(GetLastError(), DWORD{ERROR_IO_INCOMPLETE});
    ASSERT_EQ(queue_->CancelOverlappedRequests(), ND_SUCCESS);
    EXPECT_TRUE(HasOverlappedIoCompleted(&overlapped));
    EXPECT_FALSE(GetOverlappedResult(file_, &overlapped, &bytes, TRUE));
    EXPECT_EQ(GetLastError(), DWORD{ERROR_OPERATION_ABORTED});
    EXPECT_EQ(bytes, 0u);
    EXPECT_EQ(static_cast<HRESULT>(overlapped.Internal), ND_CANCELED);
    EXPECT_FALSE(GetOverlappedResult(file_, nullptr, &bytes, FALSE));

    std::vector<char> memory(4096);
    ComPtr<IND2MemoryRegion> region;
    ASSERT_EQ(adapter_->CreateMemoryRegion(IID_IND2MemoryRegion, file_, region.out()), ND_SUCCESS);
    ASSERT_EQ(region->Register(memory.data(), memory.size(), ND_MR_FLAG_ALLOW_LOCAL_WRITE, &overlapped), ND_PENDING);
    EXPECT_TRUE(GetOverlappedResult(file_, &overlapped, &bytes, TRUE)) << "without an event";
    ASSERT_EQ(region->Deregister(&overlapped), ND_PENDING);
    EXPECT_TRUE(GetOverlappedResult(file_, &overlapped, &bytes, TRUE));
}

// The callbacks' arguments; they have no context of their own.
struct Calls {
    std::mutex mutex;
    std::vector<std::pair<DWORD, OVERLAPPED*>> list;
    std::atomic<std::size_t> count{0};
    CRITICAL_SECTION* held_by_canceller = nullptr;
};
Calls* calls = nullptr;

VOID CALLBACK record(DWORD error, DWORD, LPOVERLAPPED overlapped) {
    if (calls->held_by_canceller != nullptr) {
        EnterCriticalSection(calls->held_by_canceller);
        LeaveCriticalSection(calls->held_by_canceller);
    }
    const std::lock_guard held(calls->mutex);
    calls->list.emplace_back(error, overlapped);
    ++calls->count;
}

class Callback : public Request {
protected:
    Callback() { calls = &calls_; }
    ~Callback() override { calls = nullptr; }
    Calls calls_;
};

TEST_F(Callback, GetsTheStatusOfEachRequestAsItIs) {
    proves("ND2-OVL-22", "ND2-CLI-82", "ND2-CLI-86");
    OVERLAPPED before{}, after{}, silent{};
    notify(before);
    ASSERT_TRUE(BindIoCompletionCallback(file_, record, 0));
    notify(after);
    silent.hEvent = reinterpret_cast<HANDLE>(ULONG_PTR{1});
    notify(silent);
    ASSERT_EQ(queue_->CancelOverlappedRequests(), ND_SUCCESS);
    std::vector<char> memory(4096);
    ComPtr<IND2MemoryRegion> region;
    ASSERT_EQ(adapter_->CreateMemoryRegion(IID_IND2MemoryRegion, file_, region.out()), ND_SUCCESS);
    OVERLAPPED registered{};
    ASSERT_EQ(region->Register(memory.data(), memory.size(), 0, &registered), ND_PENDING);
    EXPECT_EQ(region->GetOverlappedResult(&registered, TRUE), ND_SUCCESS);
    ASSERT_TRUE(wait_until([&] { return calls_.count == 3; }));
    const std::lock_guard held(calls_.mutex);
    for (const auto& [error, overlapped] : calls_.list)
        EXPECT_EQ(error, overlapped == &registered ? 0u : static_cast<DWORD>(ND_CANCELED));
    EXPECT_FALSE(BindIoCompletionCallback(file_, record, 0));
    EXPECT_EQ(GetLastError(), DWORD{ERROR_INVALID_PARAMETER});
}

TEST_F(Callback, RunsOutsideTheCallsOfWhoHoldsItsLock) {
    proves("ND2-OVL-22", "ND2-CLI-91");
    CRITICAL_SECTION section;
    InitializeCriticalSection(&section);
    calls_.held_by_canceller = &section;
    ASSERT_TRUE(BindIoCompletionCallback(file_, record, 0));
    std::vector<OVERLAPPED> requests(16);
    for (OVERLAPPED& request : requests) notify(request);
    EnterCriticalSection(&section);
    ASSERT_EQ(queue_->CancelOverlappedRequests(), ND_SUCCESS);
    EXPECT_EQ(calls_.count, 0u);
    LeaveCriticalSection(&section);
    EXPECT_TRUE(wait_until([&] { return calls_.count == requests.size(); }));
    DeleteCriticalSection(&section);
}

std::atomic<int> inside{0};

VOID CALLBACK meet(DWORD, DWORD, LPOVERLAPPED) {
    ++inside;
    EXPECT_TRUE(wait_until([] { return inside >= 8; })) << "callbacks run at the same time";
}

TEST_F(Request, CallbacksWaitForEachOther) {
    proves("ND2-OVL-22");
    ASSERT_TRUE(BindIoCompletionCallback(file_, meet, 0));
    std::vector<OVERLAPPED> requests(8);
    for (OVERLAPPED& request : requests) notify(request);
    ASSERT_EQ(queue_->CancelOverlappedRequests(), ND_SUCCESS);
    EXPECT_TRUE(wait_until([] { return inside >= 8; }));
}

TEST_F(Request, ModesOfTheFileAreInForce) {
    proves("ND2-FILE-04", "ND2-CLI-111");
    EXPECT_TRUE(SetFileCompletionNotificationModes(
        file_, FILE_SKIP_COMPLETION_PORT_ON_SUCCESS | FILE_SKIP_SET_EVENT_ON_HANDLE));
    EXPECT_TRUE(SetFileCompletionNotificationModes(file_, 0));
    EXPECT_FALSE(SetFileCompletionNotificationModes(file_, 4));
    EXPECT_EQ(GetLastError(), DWORD{ERROR_INVALID_PARAMETER});
    const HANDLE event = CreateEvent(nullptr, TRUE, FALSE, nullptr);
    for (const HANDLE wrong : {event, HANDLE{}}) {
        EXPECT_FALSE(SetFileCompletionNotificationModes(wrong, 0));
        EXPECT_EQ(GetLastError(), DWORD{ERROR_INVALID_HANDLE});
        EXPECT_FALSE(CancelIo(wrong));
        EXPECT_FALSE(CancelIoEx(wrong, nullptr));
        EXPECT_EQ(GetLastError(), DWORD{ERROR_INVALID_HANDLE});
        EXPECT_FALSE(BindIoCompletionCallback(wrong, record, 0));
    }
    EXPECT_FALSE(BindIoCompletionCallback(file_, nullptr, 0));
    CloseHandle(event);
    EXPECT_TRUE(CancelIo(file_));
    EXPECT_FALSE(CancelIoEx(file_, nullptr));
    EXPECT_EQ(GetLastError(), DWORD{ERROR_NOT_FOUND});
    const HANDLE port = CreateIoCompletionPort(file_, nullptr, 0, 0);
    EXPECT_NE(port, nullptr) << "association later";
    EXPECT_TRUE(CloseHandle(port));
}

TEST_F(Request, EventsOfManyAreWaitedForTogether) {
    OVERLAPPED requests[2] = {};
    HANDLE events[2];
    for (int i = 0; i < 2; ++i) {
        events[i] = requests[i].hEvent = CreateEvent(nullptr, FALSE, TRUE, nullptr);
        notify(requests[i]);
    }
    EXPECT_EQ(WaitForMultipleObjects(2, events, FALSE, 0), DWORD{WAIT_TIMEOUT});
    ASSERT_EQ(queue_->CancelOverlappedRequests(), ND_SUCCESS);
    EXPECT_EQ(WaitForMultipleObjects(2, events, TRUE, kSoon), WAIT_OBJECT_0);
    for (const HANDLE event : events) EXPECT_TRUE(CloseHandle(event));
}

}  // namespace
}  // namespace opennd

// SPDX-License-Identifier: MIT
// Completion ports with packets of the program's own; request_test.cpp has those of Network Direct.
#include <gtest/gtest.h>
#include <windows.h>

#include <array>
#include <atomic>
#include <fstream>
#include <string>
#include <thread>

#include "support/deadline.h"

namespace opennd {
namespace {

// As the kernel tells: the thread runs no more until somebody wakes it.
bool is_asleep(DWORD thread_id) {
    std::ifstream file("/proc/self/task/" + std::to_string(thread_id) + "/stat");
    std::string stat;
    std::getline(file, stat);
    const auto name_end = stat.rfind(')');
    return name_end != stat.npos && stat.compare(name_end, 3, ") S") == 0;
}

class Port : public testing::Test {
protected:
    ~Port() override { CloseHandle(port_); }

    BOOL take(DWORD timeout_ms) { return GetQueuedCompletionStatus(port_, &bytes_, &key_, &overlapped_, timeout_ms); }

    HANDLE port_ = CreateIoCompletionPort(INVALID_HANDLE_VALUE, nullptr, 0, 0);
    DWORD bytes_ = 0;
    ULONG_PTR key_ = 0;
    OVERLAPPED any_{};
    OVERLAPPED* overlapped_ = &any_;
};

TEST_F(Port, GivesPacketsInTheirOrder) {
    ASSERT_TRUE(PostQueuedCompletionStatus(port_, 1, 10, &any_));
    ASSERT_TRUE(PostQueuedCompletionStatus(port_, 2, 20, nullptr));
    EXPECT_EQ(take(0), TRUE);
    EXPECT_EQ(bytes_, 1u);
    EXPECT_EQ(key_, 10u);
    EXPECT_EQ(overlapped_, &any_);
    EXPECT_EQ(take(INFINITE), TRUE);
    EXPECT_EQ(key_, 20u);
    EXPECT_EQ(overlapped_, nullptr);
}

TEST_F(Port, SaysWhyThereIsNone) {
    EXPECT_FALSE(take(0));
    EXPECT_EQ(overlapped_, nullptr);
    EXPECT_EQ(GetLastError(), DWORD{WAIT_TIMEOUT});
    EXPECT_FALSE(take(10));
    overlapped_ = &any_;
    std::atomic<DWORD> waiter_id{0};
    std::thread waiter([&] {
        waiter_id = GetCurrentThreadId();
        EXPECT_FALSE(take(INFINITE));
        EXPECT_EQ(GetLastError(), DWORD{ERROR_ABANDONED_WAIT_0});
    });
    EXPECT_TRUE(support::wait_until([&] { return waiter_id != 0 && is_asleep(waiter_id); }));
    CloseHandle(port_);
    waiter.join();
    EXPECT_EQ(overlapped_, nullptr);
    EXPECT_FALSE(take(0));
    EXPECT_EQ(GetLastError(), DWORD{ERROR_INVALID_HANDLE});
    EXPECT_FALSE(PostQueuedCompletionStatus(port_, 0, 0, nullptr));
    EXPECT_FALSE(GetQueuedCompletionStatus(port_, nullptr, &key_, &overlapped_, 0));
    EXPECT_EQ(GetLastError(), DWORD{ERROR_INVALID_PARAMETER});
}

TEST_F(Port, GivesManyAtOnce) {
    for (ULONG_PTR key = 0; key < 3; ++key) PostQueuedCompletionStatus(port_, 7, key, &any_);
    std::array<OVERLAPPED_ENTRY, 2> entries{};
    ULONG count = 0;
    EXPECT_TRUE(GetQueuedCompletionStatusEx(port_, entries.data(), 2, &count, 0, FALSE));
    EXPECT_EQ(count, 2u);
    EXPECT_EQ(entries[1].lpCompletionKey, 1u);
    EXPECT_EQ(entries[1].lpOverlapped, &any_);
    EXPECT_EQ(entries[1].dwNumberOfBytesTransferred, 7u);
    EXPECT_EQ(entries[1].Internal, 0u);
    EXPECT_TRUE(GetQueuedCompletionStatusEx(port_, entries.data(), 2, &count, 0, TRUE));
    EXPECT_EQ(count, 1u);
    EXPECT_FALSE(GetQueuedCompletionStatusEx(port_, entries.data(), 2, &count, 0, FALSE));
    EXPECT_EQ(GetLastError(), DWORD{WAIT_TIMEOUT});
    EXPECT_FALSE(GetQueuedCompletionStatusEx(port_, entries.data(), 0, &count, 0, FALSE));
}

TEST_F(Port, IsMadeAloneOrForAFile) {
    EXPECT_EQ(CreateIoCompletionPort(INVALID_HANDLE_VALUE, port_, 0, 0), nullptr);
    EXPECT_EQ(GetLastError(), DWORD{ERROR_INVALID_PARAMETER});
    EXPECT_EQ(CreateIoCompletionPort(port_, nullptr, 0, 0), nullptr) << "a port is no file";
    EXPECT_EQ(GetLastError(), DWORD{ERROR_INVALID_HANDLE});
}

}  // namespace
}  // namespace opennd

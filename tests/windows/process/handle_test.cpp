// SPDX-License-Identifier: MIT
// Handles: closing, copying, the last error.
#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "support/requirement.h"
#include "windows.h"

namespace opennd {
namespace {

using support::proves;

HANDLE with_bits(HANDLE handle, ULONG_PTR bits) {
    return reinterpret_cast<HANDLE>(reinterpret_cast<ULONG_PTR>(handle) | bits);
}

TEST(LastError, BelongsToTheThreadAndOutlivesSuccess) {
    SetLastError(1234);
    std::thread([] { EXPECT_EQ(GetLastError(), 0u); }).join();
    const HANDLE event = CreateEventW(nullptr, TRUE, TRUE, nullptr);
    EXPECT_EQ(WaitForSingleObject(event, 0), WAIT_OBJECT_0);
    EXPECT_TRUE(CloseHandle(event));
    EXPECT_EQ(GetLastError(), 1234u);
}

TEST(Handle, ClosesWithItsLowBitsSet) {
    proves("ND2-CLI-36", "ND2-CLI-70");
    for (const ULONG_PTR bits : {1, 2, 3}) {
        const HANDLE event = CreateEventA(nullptr, FALSE, FALSE, nullptr);
        EXPECT_TRUE(SetEvent(with_bits(event, bits)));
        EXPECT_EQ(WaitForSingleObject(with_bits(event, bits), 0), WAIT_OBJECT_0);
        EXPECT_TRUE(CloseHandle(with_bits(event, bits)));
        EXPECT_FALSE(CloseHandle(event));
        EXPECT_EQ(GetLastError(), DWORD{ERROR_INVALID_HANDLE});
    }
}

// One handle of each kind.
std::vector<HANDLE> one_of_each_kind() {
    std::vector<HANDLE> all;
    all.push_back(CreateEventA(nullptr, FALSE, FALSE, nullptr));
    all.push_back(CreateIoCompletionPort(INVALID_HANDLE_VALUE, nullptr, 0, 0));
    all.push_back(CreateThread(
        nullptr, 0, [](LPVOID) -> DWORD { return 0; }, nullptr, 0, nullptr));
    all.push_back(CreateFileA("/dev/null", GENERIC_READ, 0, nullptr, OPEN_EXISTING, 0, nullptr));
    HANDLE copy = nullptr;
    EXPECT_TRUE(DuplicateHandle(GetCurrentProcess(), all.front(), GetCurrentProcess(), &copy, 0, FALSE, 0));
    all.push_back(copy);
    return all;
}

TEST(Handle, IsTheSameAfterItWasKeptIn32Bits) {
    proves("ND2-FILE-08");
    for (const HANDLE handle : one_of_each_kind()) {
        const auto number = reinterpret_cast<ULONG_PTR>(handle);
        EXPECT_EQ(number & 3, 0u);
        EXPECT_EQ(ULONG_PTR{static_cast<ULONG>(number)}, number);
        EXPECT_EQ(static_cast<LONG_PTR>(static_cast<LONG>(number)), static_cast<LONG_PTR>(number));
        EXPECT_NE(handle, nullptr);
        EXPECT_NE(handle, INVALID_HANDLE_VALUE);
        EXPECT_TRUE(CloseHandle(reinterpret_cast<HANDLE>(ULONG_PTR{static_cast<ULONG>(number)})));
    }
}

TEST(Handle, IsTheSameInAWaitWithItsLowBitsSet) {
    proves("ND2-OVL-05");
    const HANDLE event = CreateEventA(nullptr, TRUE, TRUE, nullptr);
    const HANDLE twice[] = {event, with_bits(event, 1)};
    EXPECT_EQ(WaitForMultipleObjects(2, twice, TRUE, 0), WAIT_FAILED);
    EXPECT_EQ(GetLastError(), DWORD{ERROR_INVALID_PARAMETER});
    EXPECT_EQ(WaitForMultipleObjects(2, twice, FALSE, 0), WAIT_OBJECT_0);
    EXPECT_TRUE(CloseHandle(event));
}

TEST(Handle, RefusesWhatIsNone) {
    int local = 0;
    for (const HANDLE wrong : {HANDLE{}, INVALID_HANDLE_VALUE, static_cast<HANDLE>(&local)}) {
        SetLastError(0);
        EXPECT_FALSE(CloseHandle(wrong));
        EXPECT_EQ(GetLastError(), DWORD{ERROR_INVALID_HANDLE});
        EXPECT_FALSE(SetEvent(wrong));
        EXPECT_FALSE(ResetEvent(wrong));
        EXPECT_EQ(WaitForSingleObject(wrong, 0), WAIT_FAILED);
        EXPECT_EQ(GetLastError(), DWORD{ERROR_INVALID_HANDLE});
    }
}

TEST(Handle, ADuplicateIsTheSameEventAndLivesOn) {
    const HANDLE process = GetCurrentProcess();
    const HANDLE event = CreateEvent(nullptr, TRUE, FALSE, nullptr);
    HANDLE copy = nullptr;
    ASSERT_TRUE(DuplicateHandle(process, event, process, &copy, 0, FALSE, DUPLICATE_SAME_ACCESS));
    EXPECT_NE(copy, event);
    EXPECT_TRUE(SetEvent(event));
    EXPECT_TRUE(CloseHandle(event));
    EXPECT_EQ(WaitForSingleObject(copy, 0), WAIT_OBJECT_0);
    HANDLE moved = nullptr;
    ASSERT_TRUE(DuplicateHandle(process, copy, process, &moved, 0, FALSE, DUPLICATE_CLOSE_SOURCE));
    EXPECT_FALSE(CloseHandle(copy));
    EXPECT_TRUE(CloseHandle(moved));
    EXPECT_FALSE(DuplicateHandle(process, moved, process, &copy, 0, FALSE, 0));
    EXPECT_FALSE(DuplicateHandle(event, moved, process, &copy, 0, FALSE, 0));
    EXPECT_FALSE(DuplicateHandle(process, moved, process, nullptr, 0, FALSE, 0));
    EXPECT_EQ(GetLastError(), DWORD{ERROR_INVALID_PARAMETER});
}

TEST(Handle, ADuplicateKeepsAPortOpen) {
    const HANDLE port = CreateIoCompletionPort(INVALID_HANDLE_VALUE, nullptr, 0, 0);
    HANDLE copy = nullptr;
    ASSERT_TRUE(DuplicateHandle(GetCurrentProcess(), port, GetCurrentProcess(), &copy, 0, FALSE, 0));
    EXPECT_TRUE(CloseHandle(port));
    EXPECT_TRUE(PostQueuedCompletionStatus(copy, 1, 2, nullptr));
    EXPECT_TRUE(CloseHandle(copy));
}

TEST(Handle, TellsTheProcess) { EXPECT_EQ(GetCurrentProcessId(), static_cast<DWORD>(getpid())); }

}  // namespace
}  // namespace opennd

// SPDX-License-Identifier: MIT
// Threads and processors.
#include <gtest/gtest.h>
#include <process.h>
#include <windows.h>

#include <atomic>

#include "windows/soon.h"

namespace opennd {
namespace {

struct Work {
    HANDLE go = CreateEvent(nullptr, TRUE, FALSE, nullptr);
    std::atomic<DWORD> id{0};
    ~Work() { CloseHandle(go); }
};

DWORD WINAPI wait_and_return(LPVOID parameter) {
    auto* const work = static_cast<Work*>(parameter);
    work->id = GetCurrentThreadId();
    WaitForSingleObject(work->go, kSoon);
    return 42;
}

DWORD WINAPI exit_early(LPVOID) { ExitThread(43); }
unsigned WINAPI end_early(void*) { _endthreadex(44); }

DWORD exit_code(HANDLE thread) {
    DWORD code = 0;
    EXPECT_EQ(WaitForSingleObject(thread, kSoon), WAIT_OBJECT_0);
    EXPECT_TRUE(GetExitCodeThread(thread, &code));
    EXPECT_TRUE(CloseHandle(thread));
    return code;
}

TEST(Thread, IsSignalledWhenItEnds) {
    Work work;
    DWORD id = 0;
    const HANDLE thread = CreateThread(nullptr, 0, wait_and_return, &work, 0, &id);
    ASSERT_NE(thread, nullptr);
    EXPECT_EQ(WaitForSingleObject(thread, 0), DWORD{WAIT_TIMEOUT});
    DWORD code = 0;
    EXPECT_TRUE(GetExitCodeThread(thread, &code));
    EXPECT_EQ(code, DWORD{STILL_ACTIVE});
    EXPECT_FALSE(SetEvent(thread)) << "a thread is no event";
    EXPECT_FALSE(ResetEvent(thread));
    SetEvent(work.go);
    EXPECT_EQ(exit_code(thread), 42u);
    EXPECT_EQ(work.id, id);
    EXPECT_NE(id, GetCurrentThreadId());
}

TEST(Thread, EndsFromWithin) {
    EXPECT_EQ(exit_code(CreateThread(nullptr, 1, exit_early, nullptr, STACK_SIZE_PARAM_IS_A_RESERVATION, nullptr)),
              43u);
    unsigned id = 0;
    EXPECT_EQ(exit_code(reinterpret_cast<HANDLE>(_beginthreadex(nullptr, 1 << 20, end_early, nullptr, 0, &id))), 44u);
    EXPECT_NE(id, 0u);
    EXPECT_EQ(_getpid(), static_cast<int>(GetCurrentProcessId()));
}

TEST(Thread, RunsOnWhenItsHandleIsClosed) {
    Work work;
    const HANDLE thread = CreateThread(nullptr, 0, wait_and_return, &work, 0, nullptr);
    HANDLE copy = nullptr;
    ASSERT_TRUE(DuplicateHandle(GetCurrentProcess(), thread, GetCurrentProcess(), &copy, 0, FALSE, 0));
    EXPECT_TRUE(CloseHandle(thread));
    SetEvent(work.go);
    EXPECT_EQ(exit_code(copy), 42u);
}

TEST(Thread, IsNotMadeSuspended) {
    EXPECT_EQ(CreateThread(nullptr, 0, wait_and_return, nullptr, 4, nullptr), nullptr);
    EXPECT_EQ(GetLastError(), DWORD{ERROR_INVALID_PARAMETER});
    EXPECT_EQ(CreateThread(nullptr, 0, nullptr, nullptr, 0, nullptr), nullptr);
    DWORD code = 0;
    EXPECT_FALSE(GetExitCodeThread(nullptr, &code));
    EXPECT_EQ(GetLastError(), DWORD{ERROR_INVALID_HANDLE});
}

TEST(Thread, YieldsAndSleeps) {
    const ULONGLONG before = GetTickCount64();
    Sleep(0);
    SwitchToThread();
    YieldProcessor();
    EXPECT_EQ(SleepEx(20, TRUE), 0u);
    EXPECT_GE(GetTickCount64() - before, 19u);
}

TEST(Processors, AThreadKeepsToItsMask) {
    const HANDLE self = GetCurrentThread();
    const DWORD here = GetCurrentProcessorNumber();
    const DWORD_PTR before = SetThreadAffinityMask(self, DWORD_PTR{1} << here);
    ASSERT_NE(before, 0u);
    EXPECT_EQ(GetCurrentProcessorNumber(), here);
    PROCESSOR_NUMBER number{};
    GetCurrentProcessorNumberEx(&number);
    EXPECT_EQ(number.Number, here);
    GROUP_AFFINITY all{before, 0, {0, 0, 0}};
    GROUP_AFFINITY previous{};
    EXPECT_TRUE(SetThreadGroupAffinity(self, &all, &previous));
    EXPECT_EQ(previous.Mask, DWORD_PTR{1} << here);
    EXPECT_EQ(SetThreadAffinityMask(self, 0), 0u);
    EXPECT_EQ(GetLastError(), DWORD{ERROR_INVALID_PARAMETER});
    EXPECT_EQ(SetThreadAffinityMask(nullptr, 1), 0u);
    EXPECT_EQ(GetLastError(), DWORD{ERROR_INVALID_HANDLE});
}

}  // namespace
}  // namespace opennd

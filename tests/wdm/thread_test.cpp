// SPDX-License-Identifier: MIT
// Threads of a consumer's own: their handles, their objects, their end.
#include <unistd.h>

#include <atomic>

#include "support/requirement.h"
#include "wdm/violations.h"

namespace opennd {
namespace {

std::atomic<int> runs;

VOID count(PVOID context) { runs += static_cast<int>(reinterpret_cast<ULONG_PTR>(context)); }

VOID end_early(PVOID) {
    ++runs;
    PsTerminateSystemThread(STATUS_SUCCESS);
    runs += 100;
}

VOID end_raised(PVOID) { KeRaiseIrqlToDpcLevel(); }

// Starts it, waits for it by object, and gives both names back.
void run_to_its_end(PKSTART_ROUTINE routine, void* context) {
    HANDLE handle = nullptr;
    OBJECT_ATTRIBUTES attributes;
    InitializeObjectAttributes(&attributes, nullptr, OBJ_KERNEL_HANDLE, nullptr, nullptr);
    CLIENT_ID id{};
    ASSERT_EQ(PsCreateSystemThread(&handle, THREAD_ALL_ACCESS, &attributes, nullptr, &id, routine, context),
              STATUS_SUCCESS);
    EXPECT_EQ(id.UniqueProcess, reinterpret_cast<HANDLE>(static_cast<ULONG_PTR>(getpid())));
    EXPECT_NE(id.UniqueThread, nullptr);
    PVOID thread = nullptr;
    ASSERT_EQ(ObReferenceObjectByHandle(handle, SYNCHRONIZE, *PsThreadType, KernelMode, &thread, nullptr),
              STATUS_SUCCESS);
    EXPECT_EQ(ZwClose(handle), STATUS_SUCCESS);
    ObReferenceObject(thread);
    ObDereferenceObject(thread);
    EXPECT_EQ(KeWaitForSingleObject(thread, Executive, KernelMode, FALSE, nullptr), STATUS_SUCCESS);
    EXPECT_EQ(KeWaitForSingleObject(thread, Executive, KernelMode, FALSE, nullptr), STATUS_SUCCESS) << "it stays ended";
    ObDereferenceObject(thread);
}

TEST(SystemThread, RunsAndIsWaitedFor) {
    support::proves("NDK-HOST-40");
    runs = 0;
    run_to_its_end(count, reinterpret_cast<PVOID>(7));
    EXPECT_EQ(runs, 7);
}

TEST(SystemThread, EndsItself) {
    runs = 0;
    run_to_its_end(end_early, nullptr);
    EXPECT_EQ(runs, 1);
    EXPECT_EQ(PsTerminateSystemThread(STATUS_SUCCESS), STATUS_INVALID_PARAMETER) << "no thread of PsCreateSystemThread";
}

TEST(SystemThread, ThatEndsAtARaisedLevelIsReported) {
    Violations violations;
    run_to_its_end(end_raised, nullptr);
    EXPECT_TRUE(violations.was_only(OPENND_WDM_RULE_IRQL, "thread"));
}

TEST(SystemThread, RefusesWhatItCannotStart) {
    HANDLE handle = nullptr;
    EXPECT_EQ(PsCreateSystemThread(&handle, 0, nullptr, nullptr, nullptr, nullptr, nullptr), STATUS_INVALID_PARAMETER);
    EXPECT_EQ(PsCreateSystemThread(nullptr, 0, nullptr, nullptr, nullptr, count, nullptr), STATUS_INVALID_PARAMETER);
    EXPECT_EQ(PsCreateSystemThread(&handle, 0, nullptr, &runs, nullptr, count, nullptr), STATUS_INVALID_PARAMETER);
}

TEST(Handle, ClosedTwiceIsReported) {
    Violations violations;
    HANDLE handle = nullptr;
    ASSERT_EQ(PsCreateSystemThread(&handle, 0, nullptr, nullptr, nullptr, count, nullptr), STATUS_SUCCESS);
    PVOID thread = nullptr;
    OBJECT_HANDLE_INFORMATION information{};
    const auto other_type = reinterpret_cast<POBJECT_TYPE>(&runs);
    EXPECT_EQ(ObReferenceObjectByHandle(handle, 0, other_type, KernelMode, &thread, nullptr),
              STATUS_OBJECT_TYPE_MISMATCH);
    ASSERT_EQ(ObReferenceObjectByHandle(handle, 0, nullptr, KernelMode, &thread, &information), STATUS_SUCCESS);
    EXPECT_EQ(information.GrantedAccess, ACCESS_MASK{THREAD_ALL_ACCESS});
    EXPECT_EQ(KeWaitForSingleObject(thread, Executive, KernelMode, FALSE, nullptr), STATUS_SUCCESS);
    ObDereferenceObject(thread);
    EXPECT_EQ(ZwClose(handle), STATUS_SUCCESS);
    EXPECT_TRUE(violations.were_none());
    EXPECT_EQ(ZwClose(handle), STATUS_INVALID_HANDLE);
    EXPECT_TRUE(violations.was_only(OPENND_WDM_RULE_FREE, "handle", handle));
    EXPECT_EQ(ObReferenceObjectByHandle(handle, 0, nullptr, KernelMode, &thread, nullptr), STATUS_INVALID_HANDLE);
}

TEST(Delay, TakesItsTimeAtLeast) {
    Violations violations;
    LARGE_INTEGER interval;
    interval.QuadPart = -50'000;  // 5 ms
    const ULONGLONG start = KeQueryInterruptTime();
    EXPECT_EQ(KeDelayExecutionThread(KernelMode, FALSE, &interval), STATUS_SUCCESS);
    EXPECT_GE(KeQueryInterruptTime() - start, 50'000u);
    EXPECT_TRUE(violations.were_none());
    const KIRQL before = KeRaiseIrqlToDpcLevel();
    KeDelayExecutionThread(KernelMode, FALSE, &interval);
    KeLowerIrql(before);
    EXPECT_TRUE(violations.was_only(OPENND_WDM_RULE_IRQL, "thread"));
}

}  // namespace
}  // namespace opennd

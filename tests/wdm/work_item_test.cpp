// SPDX-License-Identifier: MIT
// Work items of both kinds: where they run, that they may block on each other, and when one may be freed.
#include <atomic>
#include <memory>

#include "support/requirement.h"
#include "wdm/violations.h"

namespace opennd {
namespace {

struct Work {
    Work() { KeInitializeEvent(&done, NotificationEvent, FALSE); }
    void finish() { KeSetEvent(&done, IO_NO_INCREMENT, FALSE); }
    void wait() { EXPECT_EQ(KeWaitForSingleObject(&done, Executive, KernelMode, FALSE, nullptr), STATUS_SUCCESS); }

    KEVENT done;
    PVOID object = nullptr;
    PIO_WORKITEM item = nullptr;
    KIRQL irql = DISPATCH_LEVEL;
};

VOID routine(PDEVICE_OBJECT device, PVOID context) {
    auto* const work = static_cast<Work*>(context);
    work->object = device;
    work->irql = KeGetCurrentIrql();
    work->finish();
}

VOID routine_ex(PVOID object, PVOID context, PIO_WORKITEM item) {
    auto* const work = static_cast<Work*>(context);
    work->object = object;
    work->item = item;
    work->finish();
}

VOID free_itself(PVOID, PVOID context, PIO_WORKITEM item) {
    IoFreeWorkItem(item);
    static_cast<Work*>(context)->finish();
}

VOID finish(PVOID context) { static_cast<Work*>(context)->finish(); }

struct Blocked {
    Work last;
    std::atomic<int> left;
};

VOID wait_for_last(PVOID context) {
    auto* const blocked = static_cast<Blocked*>(context);
    blocked->last.wait();
    --blocked->left;
}

VOID return_raised(PVOID context) {
    KeRaiseIrqlToDpcLevel();
    static_cast<Work*>(context)->finish();
}

TEST(WorkItem, RunsAtPassiveLevelWhateverTheQueuersLevel) {
    support::proves("NDK-HOST-40");
    DEVICE_OBJECT device{};
    Work work;
    PIO_WORKITEM const item = IoAllocateWorkItem(&device);
    ASSERT_NE(item, nullptr);
    const KIRQL before = KeRaiseIrqlToDpcLevel();
    IoQueueWorkItem(item, routine, DelayedWorkQueue, &work);
    KeLowerIrql(before);
    work.wait();
    EXPECT_EQ(work.object, &device);
    EXPECT_EQ(work.irql, PASSIVE_LEVEL);
    Work again;
    IoQueueWorkItemEx(item, routine_ex, CriticalWorkQueue, &again);
    again.wait();
    EXPECT_EQ(again.item, item);
    EXPECT_EQ(again.object, &device);
    IoFreeWorkItem(item);
}

TEST(WorkItem, MayBeFreedByItsOwnRoutine) {
    Violations violations;
    Work work;
    IoQueueWorkItemEx(IoAllocateWorkItem(nullptr), free_itself, DelayedWorkQueue, &work);
    work.wait();
    EXPECT_TRUE(violations.were_none());
}

TEST(WorkItem, LivesInMemoryOfTheCallersToo) {
    DRIVER_OBJECT driver{};
    const auto memory = std::make_unique<ULONG64[]>(IoSizeofWorkItem() / sizeof(ULONG64) + 1);
    auto* const item = reinterpret_cast<PIO_WORKITEM>(memory.get());
    IoInitializeWorkItem(&driver, item);
    Work work;
    IoQueueWorkItemEx(item, routine_ex, DelayedWorkQueue, &work);
    work.wait();
    EXPECT_EQ(work.object, &driver);
    IoUninitializeWorkItem(item);
}

TEST(WorkItem, ItemsMayWaitForLaterOnes) {
    constexpr int kBlocked = 20;
    Blocked blocked{{}, kBlocked};
    std::vector<WORK_QUEUE_ITEM> items(kBlocked + 1);
    for (int i = 0; i < kBlocked; ++i) {
        ExInitializeWorkItem(&items[static_cast<std::size_t>(i)], wait_for_last, &blocked);
        ExQueueWorkItem(&items[static_cast<std::size_t>(i)], DelayedWorkQueue);
    }
    ExInitializeWorkItem(&items.back(), finish, &blocked.last);
    ExQueueWorkItem(&items.back(), DelayedWorkQueue);
    blocked.last.wait();
    while (blocked.left != 0) KeStallExecutionProcessor(10);
}

TEST(WorkItem, QueuedTwiceIsReportedAndRunsOnce) {
    Violations violations;
    // Every thread of the pool is kept busy, so that the item stays queued.
    KEVENT let_go;
    KeInitializeEvent(&let_go, NotificationEvent, FALSE);
    std::atomic<int> runs{0};
    struct Both {
        KEVENT* let_go;
        std::atomic<int>* runs;
        std::atomic<int> left;
    } both{&let_go, &runs, 128};
    std::vector<WORK_QUEUE_ITEM> busy(128);
    for (WORK_QUEUE_ITEM& item : busy) {
        const auto hold = [](PVOID context) {
            auto* const shared = static_cast<Both*>(context);
            KeWaitForSingleObject(shared->let_go, Executive, KernelMode, FALSE, nullptr);
            --shared->left;
        };
        ExInitializeWorkItem(&item, hold, &both);
        ExQueueWorkItem(&item, DelayedWorkQueue);
    }
    Work work;
    PIO_WORKITEM const item = IoAllocateWorkItem(nullptr);
    IoQueueWorkItem(item, routine, DelayedWorkQueue, &work);
    IoQueueWorkItem(item, routine, DelayedWorkQueue, &work);
    EXPECT_TRUE(violations.was_only(OPENND_WDM_RULE_IN_USE, "work item", item));
    IoFreeWorkItem(item);
    EXPECT_TRUE(violations.was_only(OPENND_WDM_RULE_IN_USE, "work item", item)) << "freed before it has begun";
    IoUninitializeWorkItem(item);
    EXPECT_TRUE(violations.was_only(OPENND_WDM_RULE_IN_USE, "work item", item));
    KeSetEvent(&let_go, 0, FALSE);
    work.wait();
    IoFreeWorkItem(item);
    while (both.left != 0) KeStallExecutionProcessor(10);
    EXPECT_TRUE(violations.were_none());
}

TEST(WorkItem, ThatReturnsAtARaisedLevelIsReported) {
    Violations violations;
    Work work;
    WORK_QUEUE_ITEM item;
    ExInitializeWorkItem(&item, return_raised, &work);
    ExQueueWorkItem(&item, DelayedWorkQueue);
    work.wait();
    auto all = violations.take_all();
    while (all.empty()) {
        KeStallExecutionProcessor(10);
        all = violations.take_all();
    }
    EXPECT_EQ(all[0].rule, OPENND_WDM_RULE_IRQL);
    EXPECT_EQ(all[0].object, "work item");
}

}  // namespace
}  // namespace opennd

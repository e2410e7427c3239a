// SPDX-License-Identifier: MIT
// Work items of both kinds over the pool of threads.
#include "kernel/work_items.h"

#include <cstdlib>

#include "wdm/checking/checking.h"
#include "wdm/checking/live_objects.h"
#include "wdm/thread/worker_pool.h"

using namespace opennd::wdm;

struct _IO_WORKITEM {
    WORK_QUEUE_ITEM item;
    PVOID object;
    PIO_WORKITEM_ROUTINE routine;
    PIO_WORKITEM_ROUTINE_EX routine_ex;  // the one that is not null is called
    PVOID context;
};

namespace {

constexpr const char* kKind = "work item";

// Its own routine may free it: everything is read before.
void run(void* parameter) {
    auto* const work = static_cast<PIO_WORKITEM>(parameter);
    if (work->routine_ex != nullptr)
        work->routine_ex(work->object, work->context, work);
    else
        work->routine(static_cast<PDEVICE_OBJECT>(work->object), work->context);
}

void queue(WORK_QUEUE_ITEM& item, const char* call) {
    (void)expect_irql_at_most(DISPATCH_LEVEL, call, {kKind, &item});
    if (!WorkerPool::instance().queue(item))
        report(OPENND_WDM_RULE_IN_USE, {kKind, &item}, "is queued while it is queued");
}

void queue(IO_WORKITEM& work, PIO_WORKITEM_ROUTINE routine, PIO_WORKITEM_ROUTINE_EX routine_ex, PVOID context,
           const char* call) {
    if (WorkerPool::instance().is_queued(work.item)) {
        report(OPENND_WDM_RULE_IN_USE, {kKind, &work}, "is queued while it is queued");
        return;
    }
    work.routine = routine;
    work.routine_ex = routine_ex;
    work.context = context;
    queue(work.item, call);
}

}  // namespace

VOID ExQueueWorkItem(PWORK_QUEUE_ITEM WorkItem, WORK_QUEUE_TYPE) { queue(*WorkItem, "ExQueueWorkItem"); }

PIO_WORKITEM IoAllocateWorkItem(PDEVICE_OBJECT DeviceObject) {
    auto* const work = static_cast<PIO_WORKITEM>(std::malloc(sizeof(IO_WORKITEM)));
    if (work == nullptr) return nullptr;
    IoInitializeWorkItem(DeviceObject, work);
    LiveObjects::instance().add(work, {.kind = kKind, .detail = {}, .made_at = __builtin_return_address(0)});
    return work;
}

VOID IoFreeWorkItem(PIO_WORKITEM IoWorkItem) {
    const bool goes = LiveObjects::instance().remove(IoWorkItem, kKind, [&](const LiveObject&) {
        if (!WorkerPool::instance().is_queued(IoWorkItem->item)) return true;
        report(OPENND_WDM_RULE_IN_USE, {kKind, IoWorkItem}, "is freed while it is queued and has not begun");
        return false;
    });
    if (goes) std::free(IoWorkItem);
}

ULONG IoSizeofWorkItem(VOID) { return sizeof(IO_WORKITEM); }

VOID IoInitializeWorkItem(PVOID IoObject, PIO_WORKITEM IoWorkItem) {
    *IoWorkItem = {};
    ExInitializeWorkItem(&IoWorkItem->item, run, IoWorkItem);
    IoWorkItem->object = IoObject;
}

VOID IoUninitializeWorkItem(PIO_WORKITEM IoWorkItem) {
    if (WorkerPool::instance().is_queued(IoWorkItem->item))
        report(OPENND_WDM_RULE_IN_USE, {kKind, IoWorkItem}, "is given up while it is queued and has not begun");
}

VOID IoQueueWorkItem(PIO_WORKITEM IoWorkItem, PIO_WORKITEM_ROUTINE WorkerRoutine, WORK_QUEUE_TYPE, PVOID Context) {
    queue(*IoWorkItem, WorkerRoutine, nullptr, Context, "IoQueueWorkItem");
}

VOID IoQueueWorkItemEx(PIO_WORKITEM IoWorkItem, PIO_WORKITEM_ROUTINE_EX WorkerRoutine, WORK_QUEUE_TYPE, PVOID Context) {
    queue(*IoWorkItem, nullptr, WorkerRoutine, Context, "IoQueueWorkItemEx");
}

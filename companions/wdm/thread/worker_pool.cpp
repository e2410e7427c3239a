// SPDX-License-Identifier: MIT
// See worker_pool.h. Items may block on each other, so there is a thread for each that waits, up to a limit.
#include "wdm/thread/worker_pool.h"

#include <chrono>
#include <new>
#include <system_error>
#include <thread>

#include "kernel/lists.h"
#include "kernel/macros.h"
#include "wdm/checking/checking.h"
#include "wdm/checking/live_objects.h"

namespace opennd::wdm {
namespace {

constexpr std::chrono::seconds kIdleTime{20};  // then a thread ends

void run(PWORKER_THREAD_ROUTINE routine, void* parameter) {
    routine(parameter);
    if (const KIRQL left_at = KeGetCurrentIrql(); left_at != PASSIVE_LEVEL) {
        report(OPENND_WDM_RULE_IRQL, {"work item", nullptr},
               "its routine, " + place_of(reinterpret_cast<const void*>(routine)) + ", returned at " +
                   name_of(left_at) + "; it was called at PASSIVE_LEVEL");
        KeLowerIrql(PASSIVE_LEVEL);
    }
}

}  // namespace

// Never destroyed: its threads may run while the process ends.
WorkerPool& WorkerPool::instance() {
    static auto* const instance = new WorkerPool;
    return *instance;
}

WorkerPool::WorkerPool() { InitializeListHead(&items_); }

bool WorkerPool::queue(WORK_QUEUE_ITEM& item) {
    const std::lock_guard held(mutex_);
    if (item.List.Flink != nullptr) return false;
    InsertTailList(&items_, &item.List);
    if (++waiting_items_ > idle_ && threads_ < kMaxThreads) (void)add_thread();
    changed_.notify_one();
    return true;
}

bool WorkerPool::is_queued(const WORK_QUEUE_ITEM& item) {
    const std::lock_guard held(mutex_);
    return item.List.Flink != nullptr;
}

// Without another thread an item waits for one of those there are.
bool WorkerPool::add_thread() noexcept {
    try {
        std::thread([this] { serve(); }).detach();
        ++threads_;
        return true;
    } catch (const std::system_error&) {
        return false;
    } catch (const std::bad_alloc&) {
        return false;
    }
}

void WorkerPool::serve() {
    std::unique_lock held(mutex_);
    for (;;) {
        ++idle_;
        const bool woken = changed_.wait_for(held, kIdleTime, [this] { return !IsListEmpty(&items_); });
        --idle_;
        if (!woken) break;
        auto* const item = CONTAINING_RECORD(RemoveHeadList(&items_), WORK_QUEUE_ITEM, List);
        --waiting_items_;
        item->List.Flink = nullptr;
        const PWORKER_THREAD_ROUTINE routine = item->WorkerRoutine;
        void* const parameter = item->Parameter;
        held.unlock();
        run(routine, parameter);  // the item is the consumer's again
        held.lock();
    }
    --threads_;
}

}  // namespace opennd::wdm

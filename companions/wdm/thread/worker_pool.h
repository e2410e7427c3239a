// SPDX-License-Identifier: MIT
// Threads for work items. Items wait in a list that goes through the items themselves: queueing never allocates.
#pragma once

#include <condition_variable>
#include <mutex>

#include "kernel/work_items.h"

namespace opennd::wdm {

class WorkerPool {
public:
    static WorkerPool& instance();

    // Returns false if the item is queued already. Its routine is called with `parameter`, once.
    bool queue(WORK_QUEUE_ITEM& item);
    bool is_queued(const WORK_QUEUE_ITEM& item);

private:
    WorkerPool();

    void serve();
    bool add_thread() noexcept;

    static constexpr unsigned kMaxThreads = 128;

    std::mutex mutex_;  // guards all below, and whether an item is queued
    std::condition_variable changed_;
    LIST_ENTRY items_;
    unsigned threads_ = 0;
    unsigned idle_ = 0;
    unsigned waiting_items_ = 0;
};

}  // namespace opennd::wdm

// SPDX-License-Identifier: MIT
// A completion queue that settles watched requests when the program takes their results.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/lock.h"
#include "transport/layer/completion_queue.h"
#include "transport/watch/misuse/result_room.h"
#include "transport/watch/watch.h"

namespace opennd::watch {

class WatchedCompletionQueue final : public LayerCompletionQueue {
public:
    // `room`: null if requests are not checked.
    WatchedCompletionQueue(Watch& watch, Ref<TransportCompletionQueue> inner, Ref<ResultRoom> room)
        : LayerCompletionQueue(std::move(inner)), watch_(watch), room_(std::move(room)) {}

    const Ref<ResultRoom>& room() const { return room_; }

    // Results of the book's requests may come here: it lives until none can any more. Throws std::bad_alloc.
    void keep(Ref<RequestBook> book) EXCLUDES(mutex_);
    // Tests ask whether a book is gone.
    bool keeps(const RequestBook* book) const EXCLUDES(mutex_);

    std::size_t poll(std::span<Completion> completions) override;
    Status resize(std::uint32_t depth) override;
    std::optional<Poller> poller() const override;
    void set_number(std::uint32_t number) override;

private:
    void note_if_empty(std::uint64_t ends);

    // Constant after construction.
    Watch& watch_;
    const Ref<ResultRoom> room_;

    // Threads in poll(). Sequentially consistent: one that finds the queue empty, and no other thread here afterwards, knows that every
    // result before has been settled.
    std::atomic<std::uint32_t> polling_{0};
    // No result of a book that ended before this end is in the queue, nor is one being settled.
    std::atomic<std::uint64_t> empty_through_{0};

    // Looks into the process read these. Relaxed: each stands alone.
    std::atomic<int> poller_{0};              // 0: none so far
    std::atomic<std::int64_t> result_at_{0};  // nanoseconds of the steady clock; 0: none so far

    mutable Mutex mutex_;  // no book goes with it
    std::vector<Ref<RequestBook>> books_ GUARDED_BY(mutex_);
};

}  // namespace opennd::watch

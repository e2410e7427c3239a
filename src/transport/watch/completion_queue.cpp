// SPDX-License-Identifier: MIT
// See completion_queue.h.
#include "transport/watch/completion_queue.h"

#include <algorithm>
#include <chrono>
#include <iterator>

#include "base/thread_number.h"
#include "platform/process/clock.h"

namespace opennd::watch {

void WatchedCompletionQueue::keep(Ref<RequestBook> book) {
    std::vector<Ref<RequestBook>> gone;
    const std::uint64_t empty_through = empty_through_.load();
    const Held lock(mutex_);
    if (std::ranges::find(books_, book) != books_.end()) return;  // of a shared receive queue
    const auto out = std::partition(books_.begin(), books_.end(), [&](const Ref<RequestBook>& each) {
        return each->ended() == 0 || each->ended() > empty_through;
    });
    gone.assign(std::make_move_iterator(out), std::make_move_iterator(books_.end()));
    books_.erase(out, books_.end());
    books_.push_back(std::move(book));
}

bool WatchedCompletionQueue::keeps(const RequestBook* book) const {
    const Held lock(mutex_);
    return std::ranges::any_of(books_, [&](const Ref<RequestBook>& each) { return each.get() == book; });
}

std::size_t WatchedCompletionQueue::poll(std::span<Completion> completions) {
    const std::uint64_t ends = watch_.ends();
    polling_.fetch_add(1);
    if (const int own = thread_number(); poller_.load(std::memory_order_relaxed) != own)
        poller_.store(own, std::memory_order_relaxed);
    const std::size_t count = inner()->poll(completions);
    if (count == 0) {
        if (ends > empty_through_.load(std::memory_order_relaxed)) [[unlikely]]
            note_if_empty(ends);
    } else {
        const SteadyTime at = now();
        result_at_.store(at.time_since_epoch().count(), std::memory_order_relaxed);
        for (Completion& each : completions.first(count))
            static_cast<RequestBook*>(each.queue_pair_context)->settle(each, at);
    }
    polling_.fetch_sub(1);
    return count;
}

// poll() may have found a lock taken. A book that ends has its results here by then.
void WatchedCompletionQueue::note_if_empty(std::uint64_t ends) {
    if (inner()->count_waiting().all != 0 || polling_.load() != 1) return;
    std::uint64_t known = empty_through_.load();
    while (known < ends && !empty_through_.compare_exchange_weak(known, ends)) {
    }
}

Status WatchedCompletionQueue::resize(std::uint32_t depth) {
    const Status status = inner()->resize(depth);
    if (ok(status) && room_) room_->set_depth(depth);
    return status;
}

std::optional<Poller> WatchedCompletionQueue::poller() const {
    const int thread = poller_.load(std::memory_order_relaxed);
    if (thread == 0 || !watch_.records()) return std::nullopt;
    Poller told{thread, {}};
    if (const std::int64_t at = result_at_.load(std::memory_order_relaxed); at != 0)
        told.since_result = now() - SteadyTime(std::chrono::nanoseconds(at));
    return told;
}

void WatchedCompletionQueue::set_number(std::uint32_t number) {
    if (room_) room_->set_number(number);
    inner()->set_number(number);
}

}  // namespace opennd::watch

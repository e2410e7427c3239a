// SPDX-License-Identifier: MIT
// SoftSharedReceiveQueue: see shared_receive_queue.h.
#include "transport/soft/engine/shared_receive_queue.h"

#include <algorithm>
#include <utility>

#include "transport/soft/engine/result_ring.h"
#include "transport/soft/engine/served_queue_pair.h"

namespace opennd::soft {

SoftSharedReceiveQueue::SoftSharedReceiveQueue(const SharedReceiveQueueLimits& limits, SharedReceiveQueueSink& sink)
    : depth_(limits.depth), queue_(limits.depth, limits.sges), threshold_(limits.threshold), sink_(&sink) {}

Status SoftSharedReceiveQueue::post(void* context, std::span<const Sge> sges) {
    Ref<ServedQueuePair> starving;
    {
        const Held lock(lock_);
        if (!queue_.make_room()) return Status::queue_full;
        queue_.append(context, sges);
        starving = next_starving();
    }
    // The first queue pair may not need the receive any more, or another message took it: then the next one resumes.
    while (starving) [[unlikely]] {
            starving->run();
            starving = nullptr;  // not under the lock: it may be the last reference
            const Held lock(lock_);
            starving = next_starving();
        }
    return Status::success;
}

// Returns the queue pair that waited longest; null unless there are both a waiting message and a receive for it. The
// reference is sound: detach() takes a queue pair out of the list before the last reference goes.
Ref<ServedQueuePair> SoftSharedReceiveQueue::next_starving() {
    if (starving_.empty() || queue_.empty()) return nullptr;
    const Ref<ServedQueuePair> first(starving_.front());
    starving_.erase(starving_.begin());
    return first;
}

bool SoftSharedReceiveQueue::take(ServedQueuePair& queue_pair, ReceiveQueue& held, Progress& progress) {
    const Held lock(lock_);
    if (queue_.empty()) {
        if (std::find(starving_.begin(), starving_.end(), &queue_pair) == starving_.end())
            starving_.push_back(&queue_pair);
        return false;
    }
    held.append(queue_.context(), queue_.sges());
    queue_.consume();
    if (!starving_.empty()) std::erase(starving_, &queue_pair);
    if (armed_ && queue_.waiting() < threshold_) {
        armed_ = false;
        event_due_ = true;
        progress.after.add(Turn::event, *this);
    }
    return true;
}

void SoftSharedReceiveQueue::forget(ServedQueuePair& queue_pair) {
    const Held lock(lock_);
    std::erase(starving_, &queue_pair);
}

void SoftSharedReceiveQueue::arm() {
    {
        const Held lock(lock_);
        if (queue_.waiting() < threshold_)
            event_due_ = true;
        else
            armed_ = true;
    }
    run_deferred();
}

void SoftSharedReceiveQueue::run_deferred() {
    {
        const Held lock(lock_);
        if (!std::exchange(event_due_, false)) return;
    }
    const Held lock(sink_mutex_);
    if (sink_) sink_->on_low();
}

Status SoftSharedReceiveQueue::modify(std::uint32_t depth, std::uint32_t threshold) {
    const Held attached(attached_mutex_);
    for (const ServedQueuePair* queue_pair : attached_) queue_pair->receive_results().deepen_shared(*this, depth);
    const Held lock(lock_);
    if (queue_.in_use() > depth) return Status::overrun;
    queue_.resize(depth);
    depth_ = depth;
    threshold_ = threshold;
    return Status::success;
}

void SoftSharedReceiveQueue::attach(ServedQueuePair& queue_pair) {
    const Held attached(attached_mutex_);
    const std::size_t count = attached_.size() + 1;
    attached_.reserve(count);
    {
        const Held lock(lock_);
        starving_.reserve(count);
    }
    queue_pair.receive_results().share(*this, freed(), depth_);
    attached_.push_back(&queue_pair);
}

void SoftSharedReceiveQueue::detach(ServedQueuePair& queue_pair) {
    const Held attached(attached_mutex_);
    std::erase(attached_, &queue_pair);
    forget(queue_pair);
    queue_pair.receive_results().unshare(*this);
}

std::uint32_t SoftSharedReceiveQueue::count_posted() {
    const Held lock(lock_);
    return queue_.waiting();
}

void SoftSharedReceiveQueue::close() {
    const Held lock(sink_mutex_);
    sink_ = nullptr;
}

}  // namespace opennd::soft

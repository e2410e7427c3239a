// SPDX-License-Identifier: MIT
// VerbsCompletionQueue, the queue pairs whose results come here, and room for these in one ibv_cq or several.
#include <algorithm>
#include <new>
#include <utility>

#include "transport/verbs/queue/completion_queue.h"

namespace opennd::verbs {
namespace {

constexpr std::uint32_t kLeastRoom = 256;  // results that an ibv_cq takes

}  // namespace

Result<Ref<VerbsCompletionQueue>> VerbsCompletionQueue::create(Ref<Device> device, std::uint32_t depth,
                                                               OverrunRule rule, NotifyRule notify_rule,
                                                               CompletionQueueSink& sink) {
    Ref<VerbsCompletionQueue> made(new VerbsCompletionQueue(std::move(device), depth, rule, notify_rule, sink));
    Result<std::unique_ptr<HardwareQueue>> first =
        made->make_hardware(std::max(depth, kLeastRoom), made->kept_apart(ResultsOf::receives));
    if (!first.ok()) return first.status();
    const Held lock(made->ring_.lock());
    made->hardware_.push_back(first.take());
    return made;
}

Result<std::unique_ptr<HardwareQueue>> VerbsCompletionQueue::make_hardware(std::uint32_t room, ResultsOf results_of) {
    return HardwareQueue::create(device_, room, results_of, processors_, *this, *this);
}

ResultsOf VerbsCompletionQueue::kept_apart(ResultsOf results_of) const {
    return device_->quirks().failures_make_no_event ? results_of : ResultsOf::all;
}

HardwareQueue* VerbsCompletionQueue::find_room(std::uint32_t depth, ResultsOf results_of) {
    for (const std::unique_ptr<HardwareQueue>& queue : hardware_)
        if (queue->results_of() == results_of && queue->take_room(depth)) return queue.get();
    return nullptr;
}

Result<HardwareQueue*> VerbsCompletionQueue::attach(RequestOwner& queue_pair, std::uint32_t depth,
                                                    ResultsOf results_of) {
    const Held attaching(attach_mutex_);
    return take_room(queue_pair, depth, kept_apart(results_of));
}

Result<HardwareQueue*> VerbsCompletionQueue::attach_shared(RequestOwner& queue_pair, const RequestRing& ring,
                                                           std::uint32_t depth) {
    const Held attaching(attach_mutex_);
    {
        const Held lock(ring_.lock());
        attached_.reserve(attached_.size() + 1);
        for (SharedRoom& room : shared_rooms_) {
            if (room.ring != &ring) continue;
            ++room.queue_pairs;
            attached_.push_back(&queue_pair);
            return room.queue;
        }
        shared_rooms_.reserve(shared_rooms_.size() + 1);
    }
    Result<HardwareQueue*> made = take_room(queue_pair, depth, kept_apart(ResultsOf::receives));
    if (!made.ok()) return made;
    const Held lock(ring_.lock());
    shared_rooms_.push_back({&ring, made.value(), depth, 1});
    return made;
}

bool VerbsCompletionQueue::deepen_shared(const RequestRing& ring, std::uint32_t depth) {
    const Held attaching(attach_mutex_);
    const Held lock(ring_.lock());
    for (SharedRoom& room : shared_rooms_) {
        if (room.ring != &ring || room.depth >= depth) continue;
        const std::uint32_t more = depth - room.depth;
        ring_.add_room(more);
        if (!room.queue->take_room(more)) {
            ring_.remove_room(more);
            return false;
        }
        room.depth = depth;
    }
    return true;
}

// Returns an ibv_cq with room, a new one if need be; the queue pair is one of the attached.
Result<HardwareQueue*> VerbsCompletionQueue::take_room(RequestOwner& queue_pair, std::uint32_t depth,
                                                       ResultsOf results_of) {
    HardwareQueue* found = nullptr;
    {
        const Held lock(ring_.lock());
        attached_.reserve(attached_.size() + 1);
        hardware_.reserve(hardware_.size() + 1);
        found = find_room(depth, results_of);
    }
    std::unique_ptr<HardwareQueue> more;
    if (!found) {
        Result<std::unique_ptr<HardwareQueue>> made = make_hardware(std::max(depth, kLeastRoom), results_of);
        if (!made.ok()) return made.status();
        more = made.take();
        if (held_.interval.count() != 0) (void)more->moderate(held_);
        found = more.get();
        (void)found->take_room(depth);
    }
    const Held lock(ring_.lock());
    try {
        ring_.add_room(depth);
    } catch (const std::bad_alloc&) {
        found->give_room(depth);
        throw;
    }
    if (more) hardware_.push_back(std::move(more));
    if (ring_.armed()) request_events();
    watch_for_failures();
    attached_.push_back(&queue_pair);
    return found;
}

void VerbsCompletionQueue::detach(RequestOwner& queue_pair, HardwareQueue& queue, std::uint32_t depth) {
    const Held attaching(attach_mutex_);
    const Held lock(ring_.lock());
    let_go(queue_pair);
    ring_.remove_room(depth);
    queue.give_room(depth);
}

void VerbsCompletionQueue::detach_shared(RequestOwner& queue_pair, const RequestRing& ring) {
    const Held attaching(attach_mutex_);
    const Held lock(ring_.lock());
    let_go(queue_pair);
    const auto room = std::find_if(shared_rooms_.begin(), shared_rooms_.end(),
                                   [&](const SharedRoom& each) { return each.ring == &ring; });
    if (--room->queue_pairs != 0) return;
    ring_.remove_room(room->depth);
    room->queue->give_room(room->depth);
    shared_rooms_.erase(room);
}

void VerbsCompletionQueue::let_go(RequestOwner& queue_pair) {
    const auto found = std::find(attached_.begin(), attached_.end(), &queue_pair);
    if (found != attached_.end()) attached_.erase(found);
}

void VerbsCompletionQueue::add_taker(std::uint32_t number, RequestOwner& queue_pair) {
    const Held lock(ring_.lock());
    takers_[number] = &queue_pair;
}

void VerbsCompletionQueue::remove_taker(std::uint32_t number) {
    const Held lock(ring_.lock());
    takers_.erase(number);
}

}  // namespace opennd::verbs

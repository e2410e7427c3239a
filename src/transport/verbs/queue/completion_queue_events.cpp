// SPDX-License-Identifier: MIT
// VerbsCompletionQueue, its events and its overrun.
#include <algorithm>
#include <utility>

#include "transport/verbs/queue/completion_queue.h"

namespace opennd::verbs {

// The hardware makes no event for a result that is there already: it is asked for one, then looked at.
void VerbsCompletionQueue::arm(NotifyKind kind) {
    AfterLock after;
    {
        const Held lock(ring_.lock());
        drain_locked(after);
        if (ring_.arm(kind)) {
            after.add(Turn::event, *this);
        } else {
            request_events();
            drain_locked(after);  // a receive that comes just now counts: it may have come before the hardware knew
            const bool filtered = ring_.armed_for() == NotifyKind::solicited && awaiting_ == 0 &&
                                  !device_->quirks().solicited_only_never_fires;
            ring_.count_receives(!filtered);
        }
    }
    after.run();
}

// Asks the hardware for events. Its events for errors come with those for solicited receives. Except with
// NotifyRule::events no result is an error.
void VerbsCompletionQueue::request_events() {
    if (ring_.armed_for() == NotifyKind::errors && notify_rule_ != NotifyRule::events) return;
    const bool solicited_only = ring_.armed_for() != NotifyKind::any && !device_->quirks().solicited_only_never_fires;
    for (const std::unique_ptr<HardwareQueue>& queue : hardware_) queue->request_event(solicited_only);
}

void VerbsCompletionQueue::request_any_events() {
    for (const std::unique_ptr<HardwareQueue>& queue : hardware_) queue->request_event(false);
}

void VerbsCompletionQueue::begin_awaiting(AfterLock& after) {
    const Held lock(ring_.lock());
    drain_locked(after);
    ++awaiting_;
    ring_.count_receives(true);
    request_any_events();
    drain_locked(after);  // the hardware makes no event for those
}

void VerbsCompletionQueue::end_awaiting() {
    const Held lock(ring_.lock());
    --awaiting_;
}

// Returns true if the program waits for this event, while receives do not count: it does, unless the event only says
// that an initiator request has ended.
bool VerbsCompletionQueue::is_solicited_event(const ibv_cq* queue) {
    for (const std::unique_ptr<HardwareQueue>& each : hardware_)
        if (each->get() == queue) return each->results_of() != ResultsOf::initiators;
    return false;
}

void VerbsCompletionQueue::on_completion_event(const ibv_cq* queue) {
    AfterLock after;
    {
        const Held lock(ring_.lock());
        drain_locked(after);
        if (ring_.armed() && !ring_.receives_count() && is_solicited_event(queue)) {
            ring_.fire();
            after.add(Turn::event, *this);
        } else if (ring_.armed()) {  // something else has come
            request_events();
            drain_locked(after);
        }
        // Errors alone arm nothing.
        if (ring_.armed_for().value_or(NotifyKind::errors) == NotifyKind::errors && !attached_.empty()) {
            watch_for_failures();
            drain_locked(after);
        }
        if (awaiting_ != 0) {
            request_any_events();
            drain_locked(after);
        }
    }
    after.run();
}

// A request that fails ends its connection though nobody polls (ND2-QP-ERR-01), and on InfiniBand nothing but its result tells of it. The
// hardware makes events of failures and solicited receives alone, and none for a program that polls the others; a device that makes
// none of failures makes one of each initiator request. On iWARP the connection's end is an event of rdma_cm. A strict queue overruns
// though nobody polls, so that every result counts.
void VerbsCompletionQueue::watch_for_failures() {
    const bool strict = rule_ == OverrunRule::strict;
    if (device_->facts().is_iwarp() && !strict) return;
    for (const std::unique_ptr<HardwareQueue>& queue : hardware_) queue->request_event(!strict);
}

// A device takes it for all its ibv_cqs or for none.
bool VerbsCompletionQueue::moderate(std::chrono::microseconds interval, std::uint32_t count) {
    const Held attaching(attach_mutex_);
    const HeldEvents wanted{interval, count};
    std::vector<HardwareQueue*> queues;
    {
        const Held lock(ring_.lock());
        for (const std::unique_ptr<HardwareQueue>& queue : hardware_) queues.push_back(queue.get());
    }
    for (HardwareQueue* const queue : queues)
        if (!queue->moderate(wanted)) return false;
    held_ = wanted;
    return true;
}

void VerbsCompletionQueue::disarm() {
    const Held lock(ring_.lock());
    ring_.disarm();
}

void VerbsCompletionQueue::run_deferred() {
    if (ring_.deliver()) end_after_overrun();
}

// IBV_EVENT_CQ_ERR comes once for each result that is lost.
void VerbsCompletionQueue::on_async_event(ibv_event_type type) {
    if (type != IBV_EVENT_CQ_ERR) return;
    {
        const Held lock(ring_.lock());
        if (!ring_.lose_result()) return;
    }
    run_deferred();
}

bool VerbsCompletionQueue::overrun() {
    const Held lock(ring_.lock());
    return ring_.overrun();
}

// The queue pairs first: a program that is told of the overrun finds them dead (ND2-OVL-07).
void VerbsCompletionQueue::end_after_overrun() {
    std::vector<std::pair<Ref<const RefCounted>, RequestOwner*>> users;
    {
        const Held lock(ring_.lock());
        users.reserve(attached_.size());
        for (RequestOwner* const each : attached_)
            if (auto alive = Ref<const RefCounted>::if_alive(&each->object()))
                users.emplace_back(std::move(alive), each);
    }
    for (const auto& [alive, user] : users) user->fail();
    ring_.tell_overrun();
}

WaitingCompletions VerbsCompletionQueue::count_waiting() {
    AfterLock after;
    WaitingCompletions waiting;
    {
        const Held lock(ring_.lock());
        drain_locked(after);
        waiting = ring_.waiting();
    }
    if (!after.empty())
        device_->event_loop().post([later = std::make_shared<AfterLock>(std::move(after))] { later->run(); });
    return waiting;
}

Status VerbsCompletionQueue::resize(std::uint32_t depth) {
    AfterLock after;
    Status status = Status::success;
    {
        const Held lock(ring_.lock());
        drain_locked(after);
        status = ring_.resize(depth);
    }
    after.run();
    return status;
}

void VerbsCompletionQueue::close() {
    ring_.close();
    const Held lock(ring_.lock());
    closed_ = true;
    ring_.for_each_credit(&VerbsCompletionQueue::free_shared_slot);
}

}  // namespace opennd::verbs

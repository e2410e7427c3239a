// SPDX-License-Identifier: MIT
// VerbsCompletionQueue, its events and its overrun.
#include <algorithm>
#include <utility>

#include "base/explanation.h"
#include "transport/verbs/completion_queue.h"
#include "transport/verbs/hardware_queue_pair.h"

namespace opennd::verbs {

// The hardware makes no event for a result that is there already: it is asked for one, then looked at.
void VerbsCompletionQueue::arm(NotifyKind kind) {
    AfterLock after;
    {
        const Held lock(lock_);
        drain_locked(after);
        if (find_event(kind)) {
            event_due_ = std::max(event_due_.value_or(kind), kind);
            after.add_due(*this);
        } else {
            armed_for_ = std::max(armed_for_.value_or(kind), kind);
            ring_only_ = true;
            filtered_ = false;  // a receive that comes just now may have come before the hardware knew
            request_events();
            drain_locked(after);
            filtered_ =
                armed_for_ == NotifyKind::solicited && awaiting_ == 0 && !device_->quirks().solicited_only_never_fires;
        }
    }
    after.run();
}

// For errors alone the hardware has an event with those for solicited receives. Except with NotifyRule::events no result is an
// error.
void VerbsCompletionQueue::request_events() {
    if (armed_for_ == NotifyKind::errors && notify_rule_ != NotifyRule::events) return;
    const bool solicited_only = armed_for_ != NotifyKind::any && !device_->quirks().solicited_only_never_fires;
    for (const std::unique_ptr<HardwareQueue>& queue : hardware_) queue->request_event(solicited_only);
}

void VerbsCompletionQueue::request_any_events() {
    for (const std::unique_ptr<HardwareQueue>& queue : hardware_) queue->request_event(false);
}

void VerbsCompletionQueue::begin_awaiting(AfterLock& after) {
    const Held lock(lock_);
    drain_locked(after);
    ++awaiting_;
    filtered_ = false;
    request_any_events();
    drain_locked(after);  // the hardware makes no event for those
}

void VerbsCompletionQueue::end_awaiting() {
    const Held lock(lock_);
    --awaiting_;
}

// With filtered_ an event is one that the program waits for, unless it only says that an initiator request has ended.
bool VerbsCompletionQueue::is_solicited_event(const ibv_cq* queue) {
    for (const std::unique_ptr<HardwareQueue>& each : hardware_)
        if (each->get() == queue) return each->results_of() != ResultsOf::initiators;
    return false;
}

void VerbsCompletionQueue::on_completion_event(const ibv_cq* queue) {
    AfterLock after;
    {
        const Held lock(lock_);
        drain_locked(after);
        if (armed_for_ && filtered_ && is_solicited_event(queue)) {
            seen_through_ = head_ + count_;
            event_due_ = *armed_for_;
            end_arming();
            after.add_due(*this);
        } else if (armed_for_) {  // something else has come
            request_events();
            drain_locked(after);
        }
        // Errors alone arm nothing.
        if (armed_for_.value_or(NotifyKind::errors) == NotifyKind::errors && !attached_.empty()) {
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

void VerbsCompletionQueue::end_arming() {
    armed_for_.reset();
    filtered_ = false;
    ring_only_ = rule_ == OverrunRule::strict;
}

void VerbsCompletionQueue::disarm() {
    const Held lock(lock_);
    end_arming();
}

bool VerbsCompletionQueue::matches(const Completion& completion, NotifyKind kind) const {
    if (kind == NotifyKind::any) return true;
    if (kind == NotifyKind::solicited) return completion.solicited && (!filtered_ || !ok(completion.status));
    return notify_rule_ == NotifyRule::events && !ok(completion.status);
}

// Does the ring hold a completion that `kind` asks for?
bool VerbsCompletionQueue::find_event(NotifyKind kind) {
    if (notify_rule_ == NotifyRule::level)
        return kind == NotifyKind::any ? count_ != 0 : kind == NotifyKind::solicited && solicited_waiting_ != 0;
    if (kind != NotifyKind::any && solicited_waiting_ == 0) return false;
    const bool some_taken = static_cast<std::int32_t>(seen_through_ - head_) < 0;
    for (std::uint32_t number = some_taken ? head_ : seen_through_; number != head_ + count_; ++number) {
        if (!matches(ring_[number & (capacity_ - 1)].completion, kind)) continue;
        seen_through_ = notify_rule_ == NotifyRule::fresh ? head_ + count_ : number + 1;
        return true;
    }
    return false;
}

void VerbsCompletionQueue::deliver_event() {
    std::optional<NotifyKind> event;
    bool overrun = false;
    {
        const Held lock(lock_);
        event.swap(event_due_);
        overrun = std::exchange(overrun_due_, false);
    }
    if (event) {
        const Held lock(sink_mutex_);
        if (sink_) sink_->on_completion_event(*event);
    }
    if (overrun) end_after_overrun();
}

// The ring has room for all that the queue pairs can have outstanding: only the rule refuses it, and never to flushed requests
// (ND2-CQ-OVR-04).
bool VerbsCompletionQueue::has_room_for(const Completion& completion) {
    if (completion.operation == Operation::remote_invalidation || count_ - invalidations_waiting_ < depth_) return true;
    if (rule_ == OverrunRule::strict) return completion.status == Status::canceled;
    if (!depth_exceeded_) {
        depth_exceeded_ = true;
        log(LogLevel::warn,
            "completion queue: more than its {} results wait; OpenND has room, other providers overrun (ND2-CQ-OVR-03)",
            depth_);
    }
    return true;
}

// IBV_EVENT_CQ_ERR comes once for each result that is lost.
void VerbsCompletionQueue::on_async_event(ibv_event_type type) {
    if (type != IBV_EVENT_CQ_ERR) return;
    {
        const Held lock(lock_);
        if (overrun_) return;
        overrun_ = overrun_due_ = true;
    }
    deliver_event();
}

bool VerbsCompletionQueue::overrun() {
    const Held lock(lock_);
    return overrun_;
}

// The queue pairs first: a program that is told of the overrun finds them dead (ND2-OVL-07).
void VerbsCompletionQueue::end_after_overrun() {
    std::uint32_t depth = 0;
    std::vector<Ref<HardwareQueuePair>> users;
    {
        const Held lock(lock_);
        depth = depth_;
        users.reserve(attached_.size());
        for (HardwareQueuePair* const each : attached_)
            if (Ref<HardwareQueuePair> alive = Ref<HardwareQueuePair>::if_alive(each))
                users.push_back(std::move(alive));
    }
    (void)report(Status::overrun,
                 {.object = "completion queue",
                  .operation = "adding a result",
                  .asked = "room for one more result",
                  .limit = phrase("{} results; it and the queue pairs that use it are dead", depth),
                  .remedy = "create it with room for all requests of its queue pairs, or take results first",
                  .requirement = "ND2-CQ-OVR-01"});
    for (const Ref<HardwareQueuePair>& user : users) user->fail();
    const Held lock(sink_mutex_);
    if (sink_) sink_->on_overrun();
}

WaitingCompletions VerbsCompletionQueue::count_waiting() {
    AfterLock after;
    WaitingCompletions waiting;
    {
        const Held lock(lock_);
        drain_locked(after);
        waiting = {count_, solicited_waiting_};
    }
    after.run_on(device_->event_loop());
    return waiting;
}

Status VerbsCompletionQueue::resize(std::uint32_t depth) {
    AfterLock after;
    Status status = Status::success;
    {
        const Held lock(lock_);
        drain_locked(after);
        if (count_ - invalidations_waiting_ > depth) {
            status = Status::overrun;
        } else {
            depth_ = depth;
            depth_exceeded_ = false;
        }
    }
    after.run();
    return status;
}

void VerbsCompletionQueue::close() {
    {
        const Held lock(sink_mutex_);
        sink_ = nullptr;
    }
    const Held lock(lock_);
    closed_ = true;
    for (std::uint32_t i = 0; i < count_; ++i) free_shared_slot(ring_[(head_ + i) & (capacity_ - 1)]);
}

}  // namespace opennd::verbs

// SPDX-License-Identifier: MIT
// See receive_queue.h.
#include "transport/verbs/queue/receive_queue.h"

#include <utility>

#include "transport/verbs/queue/request_failure.h"

namespace opennd::verbs {

ReceiveQueue::ReceiveQueue(const QueuePairParts& parts, RequestOwner& owner)
    : parts_(parts), owner_(owner), results_(*parts.receives), ring_(make_ring()) {}

Ref<RequestRing> ReceiveQueue::make_ring() const {
    return make_ref<RequestRing>(owner_, parts_.context, parts_.limits.receive_depth, parts_.limits.receive_sges, 0);
}

Status ReceiveQueue::post(const WorkRequest& request) {
    AfterLock after;
    {
        const Held lock(lock_);
        if (ring_->full()) [[unlikely]]  // always with a shared receive queue
            return parts_.shared ? Status::malformed_request : Status::queue_full;
        RequestSlot& slot = ring_->append(request);
        if (stage_ == Stage::started) [[likely]] {
            const Status status = start(slot);
            if (!ok(status)) [[unlikely]]
                ring_->unappend();
            return status;
        }
        if (stage_ != Stage::stopped || (hardware_ && ring_->retired() != ring_->started())) return Status::success;
        cancel_locked(after);
    }
    after.run();
    return Status::success;
}

inline Status ReceiveQueue::start(RequestSlot& slot) {
    ibv_recv_wr request;
    request.wr_id = reinterpret_cast<std::uintptr_t>(&slot);
    request.next = nullptr;
    request.sg_list = ring_->device_entries_of(slot);
    request.num_sge = slot.entry_count;
    ibv_sge nothing{};
    if (slot.entry_count == 0 && parts_.device()->quirks().receives_need_an_entry) [[unlikely]] {
        request.sg_list = &nothing;
        request.num_sge = 1;
    }
    ibv_recv_wr* refused = nullptr;
    const int error = hardware_->context->ops.post_recv(hardware_, &request, &refused);
    if (error != 0) [[unlikely]]
        return refuse_post(*parts_.device(), "queue pair", name(Operation::receive),
                           "a request that is within its limits", error);
    ring_->start();
    return Status::success;
}

void ReceiveQueue::set_hardware(ibv_qp* hardware) {
    const Held lock(lock_);
    hardware_ = hardware;
}

bool ReceiveQueue::start() {
    const Held lock(lock_);
    stage_ = Stage::started;
    while (ring_->started() != ring_->tail())
        if (!ok(start((*ring_)[ring_->started()]))) return false;
    return true;
}

Ref<RequestRing> ReceiveQueue::withdraw(Ref<RequestRing> to) {
    const Held lock(lock_);
    stage_ = Stage::waiting;
    RequestRing& spent = *ring_;
    for (std::uint32_t number = results_.recall(spent); number != spent.tail(); ++number) {
        RequestSlot& slot = spent[number];
        (void)to->append({Operation::receive, RequestFlags::none, slot.context, spent.entries_of(slot)});
    }
    return std::exchange(ring_, std::move(to));
}

std::vector<PostedReceive> ReceiveQueue::take_back() {
    std::vector<PostedReceive> taken;
    const Held lock(lock_);
    if (stage_ != Stage::waiting) return taken;
    taken.reserve(ring_->tail() - ring_->started());
    for (std::uint32_t number = ring_->started(); number != ring_->tail(); ++number) {
        const RequestSlot& slot = (*ring_)[number];
        const std::span<const Sge> entries = ring_->entries_of(slot);
        taken.push_back({slot.context, {entries.begin(), entries.end()}});
    }
    for (std::size_t i = 0; i < taken.size(); ++i) ring_->unappend();
    return taken;
}

void ReceiveQueue::stop() {
    const Held lock(lock_);
    stage_ = Stage::stopped;
}

void ReceiveQueue::cancel(AfterLock& after) {
    const Held lock(lock_);
    cancel_locked(after);
}

bool ReceiveQueue::cancel_waiting(AfterLock& after) {
    const Held lock(lock_);
    if (stage_ != Stage::waiting) return false;
    cancel_locked(after);
    return true;
}

void ReceiveQueue::cancel_locked(AfterLock& after) {
    results_.cancel(*ring_, ring_->tail(), after);
    ring_->skip_canceled();
}

bool ReceiveQueue::heard() const {
    if (heard_.load(std::memory_order_relaxed)) return true;
    const Held lock(lock_);
    return ring_->heard.load(std::memory_order_relaxed);
}

bool ReceiveQueue::awaits_last_receive() const {
    return parts_.shared && parts_.device()->tells_last_receive() && !last_receive_.load(std::memory_order_relaxed);
}

std::uint32_t ReceiveQueue::count_owed() const {
    const Held lock(lock_);
    return results_.count_owed(*ring_, ring_->started());
}

void ReceiveQueue::describe(QueuePairUse& use) const {
    if (parts_.shared) return;
    const Held lock(lock_);
    use.receives = ring_->tail() - ring_->retired();
    use.receives_unretrieved = ring_->retired() - ring_->returned();
    use.receives_completed = ring_->retired();
}

Ref<RequestRing> ReceiveQueue::ring() const {
    const Held lock(lock_);
    return ring_;
}

}  // namespace opennd::verbs

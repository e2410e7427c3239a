// SPDX-License-Identifier: MIT
// See send_queue.h.
#include "transport/verbs/queue/send_queue.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <utility>

#include "transport/verbs/memory/fast_region.h"
#include "transport/verbs/memory/window_binding.h"
#include "transport/verbs/queue/request_failure.h"

namespace opennd::verbs {
namespace {

// The number of silent requests of which one is signalled, for OpenND alone, so that their slots become free
// (NDK-MAP-12).
constexpr std::uint32_t kSilentRun = 32;

constexpr ibv_wr_opcode opcode_of(Operation operation) {
    switch (operation) {
        case Operation::read: return IBV_WR_RDMA_READ;
        case Operation::write: return IBV_WR_RDMA_WRITE;
        case Operation::send_and_invalidate: return IBV_WR_SEND_WITH_INV;
        case Operation::send_with_immediate: return IBV_WR_SEND_WITH_IMM;
        case Operation::write_with_immediate: return IBV_WR_RDMA_WRITE_WITH_IMM;
        default: return IBV_WR_SEND;
    }
}

}  // namespace

SendQueue::SendQueue(const QueuePairParts& parts, RequestOwner& owner)
    : adapter_(*parts.adapter),
      results_(*parts.initiators),
      quirks_(parts.device()->quirks()),
      owner_(owner),
      most_entries_(parts.limits.initiator_sges),
      signal_mask_(std::bit_floor(std::clamp(parts.limits.initiator_depth / 2, 1u, kSilentRun)) - 1),
      behind_reads_(quirks_.overtakes_reads ? bit(Operation::read) : ~0u),
      ring_(make_ref<RequestRing>(owner, parts.context, parts.limits.initiator_depth, parts.limits.initiator_sges,
                                  parts.limits.inline_bytes)) {}

SendQueue::~SendQueue() {
    if (copies_) copies_->deregister();
}

// ---- from the post to the hardware ----------------------------------------------------------------------------------

Status SendQueue::post(const WorkRequest& request) {
    {
        const Held lock(lock_);
        RequestRing& ring = *ring_;
        if (!ring.full() && can_start_at_once(ring, request)) [[likely]] {
            const Status status = start(ring, ring.append(request));
            if (!ok(status)) [[unlikely]]
                ring.unappend();
            return status;
        }
    }
    return post_rarely(request);
}

inline bool SendQueue::can_start_at_once(const RequestRing& ring, const WorkRequest& request) const {
    return gate_ == Gate::open && ring.started() == ring.tail() &&
           (at_once_ & watched_ & bit(request.operation)) != 0 &&
           !has(request.flags, RequestFlags::inline_entries | RequestFlags::read_fence) &&
           request.sges.size() <= most_entries_;
}

[[gnu::always_inline]] inline Status SendQueue::start(RequestRing& ring, RequestSlot& slot) {
    ibv_send_wr request;
    request.wr_id = reinterpret_cast<std::uintptr_t>(&slot);
    request.next = nullptr;
    request.sg_list = ring.device_entries_of(slot);
    request.num_sge = slot.entry_count;
    request.opcode = opcode_of(slot.operation);
    request.send_flags = IBV_SEND_SIGNALED;
    request.invalidate_rkey = to_remote_key(slot.remote_token);  // of a Send with invalidate; siw takes the other one
    request.wr.rdma.remote_addr = slot.remote_address;
    request.wr.rdma.rkey = request.invalidate_rkey;
    if (slot.flags != RequestFlags::none) [[unlikely]]
        apply_flags(slot, request);
    if (has_immediate(slot.operation)) [[unlikely]]
        request.imm_data =
            exchange_octets(slot.extra.immediate());  // in the place of invalidate_rkey (ND2-IMM-DATA-01)
    ibv_send_wr* refused = nullptr;
    const int error = hardware_->context->ops.post_send(hardware_, &request, &refused);
    if (error != 0) [[unlikely]]
        return refuse(slot.operation, error);
    if (slot.operation == Operation::read) [[unlikely]] {
        last_read_ = slot.number + 1;
        at_once_ &= behind_reads_;
    }
    ring.start();
    return Status::success;
}

Status SendQueue::post_rarely(const WorkRequest& request) {
    AfterLock after;
    bool full = false;
    {
        const Held lock(lock_);
        full = gate_ != Gate::refused && ring_->full();
    }
    if (full) results_.drain(after);  // silent requests make room as they complete, though nobody polls
    Status status = Status::not_connected;
    {
        const Held lock(lock_);
        if (gate_ != Gate::refused) status = ring_->full() ? Status::queue_full : take(request, after);
    }
    after.run();
    return status;
}

Status SendQueue::take(const WorkRequest& request, AfterLock& after) {
    RequestRing& ring = *ring_;
    RequestSlot& slot = ring.append(request);
    auto* const binding =
        change_of(slot.operation, slot.subject()) ? nullptr : static_cast<VerbsWindowBinding*>(slot.subject());
    if (binding) binding->requested();
    Status status = Status::success;
    const bool refused = !ok(outcome_without_hardware(slot));
    const bool waits =
        gate_ != Gate::open || ring.started() + 1 != ring.tail() || refused || is_fenced_off(slot, after);
    if (has(request.flags, RequestFlags::inline_entries))
        status = keep_entries(slot, request.sges);
    else if (has(request.flags, RequestFlags::inline_data) && (waits || request.sges.size() > most_entries_))
        ring.keep_data(slot, request.sges, true, Token::none);
    if (ok(status) && !waits) status = start_any(slot);
    if (ok(status) && !waits) watch(slot, after);
    if (!ok(status)) {
        if (binding) {
            binding->not_taken(after);
        }
        ring.unappend();
    } else if (gate_ == Gate::open && refused)
        (void)start_waiting(after);
    // quiesce() cancels the request if the hardware has others, behind them.
    if (gate_ == Gate::canceled && (!hardware_ || ring.retired() == ring.started())) cancel_locked(after);
    return status;
}

// Version 1 mixes entries with and without a token in a request; the device has no such thing.
Status SendQueue::keep_entries(RequestSlot& slot, std::span<const Sge> sges) {
    if (!copies_) {
        const std::span<std::byte> memory = ring_->copies();
        Result<Ref<TransportMemory>> made = adapter_.register_memory(memory.data(), memory.size(), Access::none);
        if (!made.ok()) return Status::queue_full;
        copies_ = made.take();
    }
    ring_->keep_data(slot, sges, false, copies_->local_token());
    return Status::success;
}

// Finds requests that must not go to the hardware. A Read where the peer and this side have agreed on none: the
// hardware would wait for ever. A Bind that core has refused in order (ND1-EP-BIND-02). An Invalidate of nothing, or of
// a window that has ended meanwhile (ND2-QP-INV-02). A FastRegister of a region that was registered (NDK-QP-FREG-01),
// or an Invalidate of one that was not (NDK-QP-INV-03).
Status SendQueue::outcome_without_hardware(const RequestSlot& slot) const {
    if ((plain_ & bit(slot.operation)) != 0) [[likely]]
        return Status::success;
    if (change_of(slot.operation, slot.subject())) return Status::success;
    const auto* const binding = static_cast<const VerbsWindowBinding*>(slot.subject());
    if (slot.operation == Operation::bind) return binding ? Status::success : Status::access_violation;
    if (slot.operation == Operation::invalidate && binding && binding->can_end()) return Status::success;
    return Status::malformed_request;
}

// Completes the oldest waiting request, behind all that the hardware has. Returns false if it has to wait for these.
bool SendQueue::refuse_waiting(Status outcome, AfterLock& after) {
    await_results(after);
    if (results_.count_owed(*ring_, ring_->started()) != 0) return false;
    stop_awaiting();
    const Operation operation = (*ring_)[ring_->started()].operation;
    ring_->start();
    results_.refuse(*ring_, outcome, after);
    const RequestFailure failure{operation, outcome, IBV_WC_SUCCESS, 0};
    after.add(Turn::failure,
              [alive = Ref<const RefCounted>(&owner_.object()), &owner = owner_, failure] { owner.fail(failure); });
    return true;
}

// Returns true if the request must wait for an earlier Read. If at_once_ is as great as plain_, no Read is on its way.
bool SendQueue::is_fenced_off(const RequestSlot& slot, AfterLock& after) {
    const bool waits = slot.operation == Operation::read
                           ? quirks_.refuses_fenced_reads && has(slot.flags, RequestFlags::read_fence)
                           : at_once_ != plain_;
    if (!waits) return false;
    await_results(after);
    if (results_.count_owed(*ring_, last_read_) != 0) return true;
    stop_awaiting();
    at_once_ = plain_;
    return false;
}

void SendQueue::await_results(AfterLock& after) {
    ring_->awaited.store(true, std::memory_order_relaxed);
    if (!std::exchange(awaits_results_, true)) results_.begin_awaiting(after);
}

void SendQueue::stop_awaiting() {
    ring_->awaited.store(false, std::memory_order_relaxed);
    if (std::exchange(awaits_results_, false)) results_.end_awaiting();
}

// ---- the watch of messages that wait for a receive ------------------------------------------------------------------

void SendQueue::watch(const RequestSlot& slot, AfterLock& after) {
    if ((watched_ & bit(slot.operation)) != 0) return;
    watched_ = ~0u;
    after.add(Turn::request,
              [alive = Ref<const RefCounted>(&owner_.object()), &owner = owner_] { owner.watch_messages(); });
}

bool SendQueue::end_watch() {
    const Held lock(lock_);
    if (gate_ != Gate::canceled && ring_->retired() != ring_->started()) return false;
    watched_ = gate_ == Gate::canceled ? ~0u : ~kMessages;
    return true;
}

SendProgress SendQueue::progress() const {
    const Held lock(lock_);
    RequestRing& ring = *ring_;
    SendProgress seen;
    seen.retired = ring.retired();
    seen.outstanding = gate_ != Gate::canceled && static_cast<std::int32_t>(ring.started() - seen.retired) > 0;
    if (!seen.outstanding) return seen;
    const bool has_teller = ring.teller_posted.load(std::memory_order_relaxed);
    for (std::uint32_t number = seen.retired; number != ring.started() && !seen.will_tell; ++number) {
        const RequestSlot& slot = ring[number];
        seen.bytes += slot.length_bytes;
        seen.has_message = seen.has_message || (kMessages & bit(slot.operation)) != 0;
        seen.will_tell = !is_silent(slot) || (has_teller && number == ring.teller().number);
    }
    return seen;
}

// A Write of nothing needs no key.
void SendQueue::post_teller() {
    const Held lock(lock_);
    RequestRing& ring = *ring_;
    if (gate_ != Gate::open || !hardware_ || !has_spare_place_ || ring.teller_posted.load(std::memory_order_relaxed) ||
        ring.retired() == ring.started() || !is_silent(ring[ring.started() - 1]))
        return;
    RequestSlot& slot = ring.teller();
    slot = {};
    slot.ring = &ring;
    slot.operation = Operation::write;
    slot.flags = RequestFlags::silent_success;
    slot.number = ring.started() - 1;
    ibv_send_wr request{};
    request.wr_id = reinterpret_cast<std::uintptr_t>(&slot);
    request.opcode = IBV_WR_RDMA_WRITE;
    request.send_flags = IBV_SEND_SIGNALED;
    ibv_send_wr* refused = nullptr;
    ring.teller_posted.store(true, std::memory_order_relaxed);
    if (hardware_->context->ops.post_send(hardware_, &request, &refused) != 0)
        ring.teller_posted.store(false, std::memory_order_relaxed);
}

// Starts a Bind, a FastRegister or an Invalidate. Its subject learns the outcome from the result, so that it is always
// signalled. A Write of nothing needs no key.
Status SendQueue::start_local(RequestSlot& slot) {
    ibv_send_wr request{};
    request.wr_id = reinterpret_cast<std::uintptr_t>(&slot);
    request.send_flags = IBV_SEND_SIGNALED;
    apply_flags(slot, request);
    ibv_send_wr* refused = nullptr;
    int error = 0;
    if (change_of(slot.operation, slot.subject())) {
        request.opcode = IBV_WR_RDMA_WRITE;
        error = hardware_->context->ops.post_send(hardware_, &request, &refused);
    } else if (auto& binding = *static_cast<VerbsWindowBinding*>(slot.subject()); slot.operation == Operation::bind) {
        request.opcode = IBV_WR_BIND_MW;
        error = binding.post_bind(hardware_, request);
    } else {
        request.opcode = IBV_WR_LOCAL_INV;
        request.invalidate_rkey = to_remote_key(binding.remote_token());
        error = hardware_->context->ops.post_send(hardware_, &request, &refused);
    }
    if (error != 0) return refuse(slot.operation, error);
    ring_->start();
    return Status::success;
}

Status SendQueue::start_any(RequestSlot& slot) { return slot.subject() ? start_local(slot) : start(*ring_, slot); }

// Returns true if the success of the request makes no result.
bool SendQueue::is_silent(const RequestSlot& slot) const {
    // A later request may be fenced off by a Read, and waits for its result.
    const bool awaits_reads =
        slot.operation == Operation::read && (quirks_.refuses_fenced_reads || quirks_.overtakes_reads);
    return has(slot.flags, RequestFlags::silent_success) && !slot.subject() && !awaits_reads &&
           (slot.number & signal_mask_) != signal_mask_;
}

void SendQueue::apply_flags(const RequestSlot& slot, ibv_send_wr& request) const {
    const bool read = slot.operation == Operation::read;
    if (is_silent(slot)) request.send_flags = 0;
    if (has(slot.flags, RequestFlags::read_fence) && !(read && quirks_.refuses_fenced_reads))
        request.send_flags |= IBV_SEND_FENCE;
    if (has(slot.flags, RequestFlags::solicit)) request.send_flags |= IBV_SEND_SOLICITED;
    if (has(slot.flags, RequestFlags::inline_data)) request.send_flags |= IBV_SEND_INLINE;
}

bool SendQueue::start_waiting(AfterLock& after) {
    while (ring_->started() != ring_->tail()) {
        RequestSlot& slot = (*ring_)[ring_->started()];
        if (is_fenced_off(slot, after)) return true;
        if (const Status outcome = outcome_without_hardware(slot); !ok(outcome)) {
            if (refuse_waiting(outcome, after)) gate_ = Gate::canceled;  // it fails before anything else starts
            return true;
        }
        if (!ok(start_any(slot))) return false;
        watch(slot, after);
    }
    return true;
}

bool SendQueue::go_on() {
    AfterLock after;
    bool refused = false;
    {
        const Held lock(lock_);
        refused = gate_ == Gate::open && !start_waiting(after);
    }
    after.run();
    return !refused;
}

Status SendQueue::refuse(Operation operation, int result) const {
    return refuse_post(*adapter_.device(), "queue pair", name(operation), "a request that is within its limits",
                       result);
}

// ---- the connection, and its end ------------------------------------------------------------------------------------

void SendQueue::set_hardware(ibv_qp* hardware, bool has_spare_place) {
    const Held lock(lock_);
    hardware_ = hardware;
    has_spare_place_ = has_spare_place;
}

void SendQueue::open(const ReadLimits& limits, Start start, bool watched) {
    const Held lock(lock_);
    plain_ = kMessages | bit(Operation::write) | (limits.outbound == 0 ? 0 : bit(Operation::read));
    at_once_ = plain_;
    if (watched) watched_ = ~kMessages;
    gate_ = start == Start::held ? Gate::held : Gate::open;
}

void SendQueue::release() {
    const Held lock(lock_);
    if (gate_ == Gate::held) gate_ = Gate::open;
}

void SendQueue::stop() {
    const Held lock(lock_);
    gate_ = Gate::canceled;
    stop_awaiting();
}

void SendQueue::cancel(AfterLock& after) {
    const Held lock(lock_);
    cancel_locked(after);
}

void SendQueue::cancel_locked(AfterLock& after) {
    results_.cancel(*ring_, ring_->tail(), after);
    ring_->skip_canceled();
}

bool SendQueue::was_open() const {
    const Held lock(lock_);
    return plain_ != 0;
}

bool SendQueue::finished() const {
    const Held lock(lock_);
    return ring_->retired() == ring_->tail();
}

std::uint32_t SendQueue::count_owed() const {
    const Held lock(lock_);
    return results_.count_owed(*ring_, ring_->started()) +
           (ring_->teller_posted.load(std::memory_order_relaxed) ? 1 : 0);
}

void SendQueue::describe(QueuePairUse& use) const {
    const Held lock(lock_);
    RequestRing& requests = *ring_;
    const std::uint32_t oldest = requests.retired();
    use.requests = requests.tail() - oldest;
    use.unstarted = std::min(requests.tail() - requests.started(), use.requests);
    use.unretrieved = oldest - requests.returned();
    use.requests_completed = oldest;
    if (use.requests == 0) return;
    const RequestSlot& slot = requests[oldest];
    use.oldest = OldestRequest{slot.operation, slot.length_bytes, slot.context, use.unstarted != use.requests};
}

}  // namespace opennd::verbs

// SPDX-License-Identifier: MIT
// HardwareQueuePair, its requests: from the post to the hardware. See hardware_queue_pair.h.
#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <span>
#include <system_error>
#include <utility>

#include "base/explanation.h"
#include "base/probes.h"
#include "platform/process/errno_status.h"
#include "transport/verbs/fast_region.h"
#include "transport/verbs/hardware_queue_pair.h"
#include "transport/verbs/open_device.h"
#include "transport/verbs/rdma_core.h"
#include "transport/verbs/window_binding.h"

namespace opennd::verbs {
namespace {

// Entries are handed to the device as the program gave them.
static_assert(sizeof(Sge) == sizeof(ibv_sge) && offsetof(Sge, buffer) == offsetof(ibv_sge, addr) &&
              offsetof(Sge, length) == offsetof(ibv_sge, length) && offsetof(Sge, token) == offsetof(ibv_sge, lkey));

constexpr ibv_wr_opcode opcode_of(Operation operation) {
    switch (operation) {
        case Operation::read: return IBV_WR_RDMA_READ;
        case Operation::write: return IBV_WR_RDMA_WRITE;
        case Operation::send_and_invalidate: return IBV_WR_SEND_WITH_INV;
        default: return IBV_WR_SEND;
    }
}

ibv_sge* to_ibv(std::span<Sge> entries) { return reinterpret_cast<ibv_sge*>(entries.data()); }

}  // namespace

Status HardwareQueuePair::post(const WorkRequest& request) {
    OPENND_PROBE(post, this, static_cast<int>(request.operation), request.context, request.sges.size());
    if (adapter_->translates()) [[unlikely]]
        return post_translated(request);
    return post_as_it_is(request);
}

// Posts a request with translated entries. Inline data are copied by their addresses.
Status HardwareQueuePair::post_translated(const WorkRequest& request) {
    if (request.subject)
        if (FastChange* const change = change_of(request.operation, request.subject))
            return post_change(request, *change);
    if (has(request.flags, RequestFlags::local_invalidate)) return refuse_end_by_read();
    if (has(request.flags, RequestFlags::inline_data) || request.sges.size() > kMostEntries)
        return post_as_it_is(request);
    TranslatedEntries entries;
    const Status status =
        entries.translate(*adapter_, request.operation, request.sges, most_entries(request.operation));
    if (!ok(status)) return status;
    WorkRequest translated = request;
    translated.sges = entries.get();
    return post_as_it_is(translated);
}

std::uint32_t HardwareQueuePair::most_entries(Operation operation) const {
    if (operation == Operation::receive) return limits_.receive_sges;
    if (operation != Operation::read) return limits_.initiator_sges;
    return std::min(limits_.initiator_sges, adapter_->limits().max_read_sges);
}

// A change that cannot begin is posted without its subject, and so fails in its turn.
Status HardwareQueuePair::post_change(const WorkRequest& request, FastChange& change) {
    Ref<const FastMemory> before;
    WorkRequest changed = request;
    if (!change.region().begin(change, before)) changed.subject = nullptr;
    const Status status = post_as_it_is(changed);
    if (!ok(status) && changed.subject) change.region().take_back(std::move(before));
    return status;
}

Status HardwareQueuePair::refuse_end_by_read() const {
    return explain(Status::not_supported, {.object = "queue pair",
                                           .operation = name(Operation::read),
                                           .asked = "the end of the registration that the Read fills",
                                           .limit = phrase("RDMA device {} ({}) has no such Read",
                                                           device_->facts().name, device_->facts().driver),
                                           .remedy = "post NdkInvalidate behind it",
                                           .requirement = "NDK-QP-READ-04"});
}

inline Status HardwareQueuePair::post_as_it_is(const WorkRequest& request) {
    if (request.operation == Operation::receive) return post_receive(request);
    {
        const Held lock(lock_);
        if (!request_ring_->full() && can_start_at_once(request)) [[likely]] {
            const Status status = start(request_ring_->append(request));
            if (!ok(status)) [[unlikely]]
                request_ring_->unappend();
            return status;
        }
    }
    return post_rarely(request);
}

inline bool HardwareQueuePair::can_start_at_once(const WorkRequest& request) const {
    return gate_ == Gate::open && request_ring_->started() == request_ring_->tail() &&
           (at_once_ & bit(request.operation)) != 0 &&
           !has(request.flags, RequestFlags::inline_entries | RequestFlags::read_fence) &&
           request.sges.size() <= limits_.initiator_sges;
}

Status HardwareQueuePair::post_rarely(const WorkRequest& request) {
    AfterLock after;
    bool full = false;
    {
        const Held lock(lock_);
        full = gate_ != Gate::refused && request_ring_->full();
    }
    if (full) initiators_->drain(after);  // silent requests make room as they complete, though nobody polls
    Status status = Status::not_connected;
    {
        const Held lock(lock_);
        if (gate_ != Gate::refused) status = request_ring_->full() ? Status::queue_full : take(request, after);
    }
    after.run();
    return status;
}

Status HardwareQueuePair::take(const WorkRequest& request, AfterLock& after) {
    RequestRing& ring = *request_ring_;
    RequestSlot& slot = ring.append(request);
    auto* const binding =
        change_of(slot.operation, slot.subject) ? nullptr : static_cast<VerbsWindowBinding*>(slot.subject);
    if (binding) binding->requested();
    Status status = Status::success;
    const bool refused = !ok(outcome_without_hardware(slot));
    const bool waits =
        gate_ != Gate::open || ring.started() + 1 != ring.tail() || refused || is_fenced_off(slot, after);
    if (has(request.flags, RequestFlags::inline_entries))
        status = keep_entries(slot, request.sges);
    else if (has(request.flags, RequestFlags::inline_data) && (waits || request.sges.size() > limits_.initiator_sges))
        ring.keep_data(slot, request.sges, true, Token::none);
    if (ok(status) && !waits) status = start_any(slot);
    if (!ok(status)) {
        if (binding) {
            binding->not_taken(after);
        }
        ring.unappend();
    } else if (gate_ == Gate::open && refused)
        (void)start_waiting(after);
    // come_to_rest() cancels the request if the hardware has others, behind them.
    if (gate_ == Gate::canceled && (!hardware_ || ring.retired() == ring.started())) cancel(*initiators_, ring, after);
    return status;
}

// Version 1 mixes entries with and without a token in a request; the device has no such thing.
Status HardwareQueuePair::keep_entries(RequestSlot& slot, std::span<const Sge> sges) {
    if (!copies_) {
        const std::span<std::byte> memory = request_ring_->copies();
        Result<Ref<TransportMemory>> made = adapter_->register_memory(memory.data(), memory.size(), Access::none);
        if (!made.ok()) return Status::queue_full;
        copies_ = made.take();
    }
    request_ring_->keep_data(slot, sges, false, copies_->local_token());
    return Status::success;
}

// Finds requests that must not go to the hardware. A Read where the peer and this side have agreed on none: the
// hardware would wait for ever. A Bind that core has refused in order (ND1-EP-BIND-02). An Invalidate of nothing, or of
// a window that has ended meanwhile (ND2-QP-INV-02). A FastRegister of a region that was registered (NDK-QP-FREG-01),
// or an Invalidate of one that was not (NDK-QP-INV-03).
Status HardwareQueuePair::outcome_without_hardware(const RequestSlot& slot) const {
    if ((plain_ & bit(slot.operation)) != 0) [[likely]]
        return Status::success;
    if (change_of(slot.operation, slot.subject)) return Status::success;
    const auto* const binding = static_cast<const VerbsWindowBinding*>(slot.subject);
    if (slot.operation == Operation::bind) return binding ? Status::success : Status::access_violation;
    if (slot.operation == Operation::invalidate && binding && binding->can_end()) return Status::success;
    return Status::malformed_request;
}

// Completes the oldest waiting request, behind all that the hardware has. Returns false if it has to wait for these.
bool HardwareQueuePair::refuse_waiting(Status outcome, AfterLock& after) {
    await_results(after);
    if (initiators_->count_owed(*request_ring_, request_ring_->started()) != 0) return false;
    stop_awaiting();
    const Operation operation = (*request_ring_)[request_ring_->started()].operation;
    request_ring_->start();
    initiators_->refuse(*request_ring_, outcome, after);
    const RequestFailure failure{operation, outcome, IBV_WC_SUCCESS, 0};
    after.add(Turn::failure, [self = Ref<HardwareQueuePair>(this), failure] { self->fail(failure); });
    return true;
}

// Returns true if the request must wait for an earlier Read. If at_once_ is as great as plain_, no Read is on its way.
bool HardwareQueuePair::is_fenced_off(const RequestSlot& slot, AfterLock& after) {
    const Quirks& quirks = device_->quirks();
    const bool waits = slot.operation == Operation::read
                           ? quirks.refuses_fenced_reads && has(slot.flags, RequestFlags::read_fence)
                           : at_once_ != plain_;
    if (!waits) return false;
    await_results(after);
    if (initiators_->count_owed(*request_ring_, last_read_) != 0) return true;
    stop_awaiting();
    at_once_ = plain_;
    return false;
}

void HardwareQueuePair::await_results(AfterLock& after) {
    request_ring_->awaited.store(true, std::memory_order_relaxed);
    if (!std::exchange(awaits_results_, true)) initiators_->begin_awaiting(after);
}

void HardwareQueuePair::stop_awaiting() {
    request_ring_->awaited.store(false, std::memory_order_relaxed);
    if (std::exchange(awaits_results_, false)) initiators_->end_awaiting();
}

// Starts a Bind, a FastRegister or an Invalidate. Its subject learns the outcome from the result, so that it is always
// signalled. A Write of nothing needs no key.
Status HardwareQueuePair::start_local(RequestSlot& slot) {
    ibv_send_wr request{};
    request.wr_id = reinterpret_cast<std::uintptr_t>(&slot);
    request.send_flags = IBV_SEND_SIGNALED;
    apply_flags(slot, request);
    ibv_send_wr* refused = nullptr;
    int error = 0;
    if (change_of(slot.operation, slot.subject)) {
        request.opcode = IBV_WR_RDMA_WRITE;
        error = hardware_->context->ops.post_send(hardware_, &request, &refused);
    } else if (auto& binding = *static_cast<VerbsWindowBinding*>(slot.subject); slot.operation == Operation::bind) {
        request.opcode = IBV_WR_BIND_MW;
        error = binding.post_bind(hardware_, request);
    } else {
        request.opcode = IBV_WR_LOCAL_INV;
        request.invalidate_rkey = to_remote_key(binding.remote_token());
        error = hardware_->context->ops.post_send(hardware_, &request, &refused);
    }
    if (error != 0) return refuse_post(slot.operation, error);
    request_ring_->start();
    return Status::success;
}

[[gnu::always_inline]] inline Status HardwareQueuePair::start(RequestSlot& slot) {
    ibv_send_wr request;
    request.wr_id = reinterpret_cast<std::uintptr_t>(&slot);
    request.next = nullptr;
    request.sg_list = to_ibv(request_ring_->entries_of(slot));
    request.num_sge = slot.entry_count;
    request.opcode = opcode_of(slot.operation);
    request.send_flags = IBV_SEND_SIGNALED;
    request.invalidate_rkey = to_remote_key(slot.remote_token);  // of a Send with invalidate; siw takes the other one
    request.wr.rdma.remote_addr = slot.remote_address;
    request.wr.rdma.rkey = request.invalidate_rkey;
    if (slot.flags != RequestFlags::none) [[unlikely]]
        apply_flags(slot, request);
    ibv_send_wr* refused = nullptr;
    const int error = hardware_->context->ops.post_send(hardware_, &request, &refused);
    if (error != 0) [[unlikely]]
        return refuse_post(slot.operation, error);
    if (slot.operation == Operation::read) [[unlikely]] {
        last_read_ = slot.number + 1;
        at_once_ &= behind_reads_;
    }
    request_ring_->start();
    return Status::success;
}

Status HardwareQueuePair::start_any(RequestSlot& slot) { return slot.subject ? start_local(slot) : start(slot); }

void HardwareQueuePair::apply_flags(const RequestSlot& slot, ibv_send_wr& request) const {
    const bool read = slot.operation == Operation::read;
    // A later request may be fenced off by this Read, and waits for its result.
    const Quirks& quirks = device_->quirks();
    const bool awaits_reads = read && (quirks.refuses_fenced_reads || quirks.overtakes_reads);
    if (has(slot.flags, RequestFlags::silent_success) && !slot.subject && !awaits_reads &&
        (slot.number & signal_mask_) != signal_mask_)
        request.send_flags = 0;
    if (has(slot.flags, RequestFlags::read_fence) && !(read && quirks.refuses_fenced_reads))
        request.send_flags |= IBV_SEND_FENCE;
    if (has(slot.flags, RequestFlags::solicit)) request.send_flags |= IBV_SEND_SOLICITED;
    if (has(slot.flags, RequestFlags::inline_data)) request.send_flags |= IBV_SEND_INLINE;
}

bool HardwareQueuePair::start_waiting(AfterLock& after) {
    while (request_ring_->started() != request_ring_->tail()) {
        RequestSlot& slot = (*request_ring_)[request_ring_->started()];
        if (is_fenced_off(slot, after)) return true;
        if (const Status outcome = outcome_without_hardware(slot); !ok(outcome)) {
            if (refuse_waiting(outcome, after)) gate_ = Gate::canceled;  // it fails before anything else starts
            return true;
        }
        if (!ok(start_any(slot))) return false;
    }
    return true;
}

void HardwareQueuePair::go_on() {
    AfterLock after;
    bool refused = false;
    {
        const Held lock(lock_);
        refused = gate_ == Gate::open && !start_waiting(after);
    }
    after.run();
    if (refused) fail();
}

void HardwareQueuePair::release_held() {
    {
        const Held lock(lock_);
        if (gate_ == Gate::held) gate_ = Gate::open;
    }
    go_on();
}

Status HardwareQueuePair::post_receive(const WorkRequest& request) {
    AfterLock after;
    {
        const Held lock(lock_);
        if (receive_ring_->full()) [[unlikely]]  // always with a shared receive queue
            return shared_ ? Status::malformed_request : Status::queue_full;
        RequestSlot& slot = receive_ring_->append(request);
        if (receives_started_) [[likely]] {
            const Status status = start_receive(slot);
            if (!ok(status)) [[unlikely]]
                receive_ring_->unappend();
            return status;
        }
        if (state() != QueuePairState::error || (hardware_ && receive_ring_->retired() != receive_ring_->started()))
            return Status::success;
        cancel(*receives_, *receive_ring_, after);
    }
    after.run();
    return Status::success;
}

Status HardwareQueuePair::start_receive(RequestSlot& slot) {
    ibv_recv_wr request;
    request.wr_id = reinterpret_cast<std::uintptr_t>(&slot);
    request.next = nullptr;
    request.sg_list = to_ibv(receive_ring_->entries_of(slot));
    request.num_sge = slot.entry_count;
    ibv_sge nothing{};
    if (slot.entry_count == 0 && device_->quirks().receives_need_an_entry) [[unlikely]] {
        request.sg_list = &nothing;
        request.num_sge = 1;
    }
    ibv_recv_wr* refused = nullptr;
    const int error = hardware_->context->ops.post_recv(hardware_, &request, &refused);
    if (error != 0) [[unlikely]]
        return refuse_post(Operation::receive, error);
    receive_ring_->start();
    return Status::success;
}

// Some providers give the negative errno of their kernel's part.
Status HardwareQueuePair::refuse_post(Operation operation, int result) const {
    const int error = std::abs(result);
    Status status = status_from_errno(error);
    if (error == ENOMEM) status = Status::queue_full;
    if (error == EINVAL) status = Status::malformed_request;
    return explain(status, {.object = "queue pair",
                            .operation = name(operation),
                            .asked = "a request that is within its limits",
                            .limit = phrase("RDMA device {} refuses it: {}", device_->facts().name,
                                            std::generic_category().message(error)),
                            .remedy = "report it with the output of nd info",
                            .requirement = "ND2-QP-STAT-02"});
}

}  // namespace opennd::verbs

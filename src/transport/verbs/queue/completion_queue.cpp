// SPDX-License-Identifier: MIT
// VerbsCompletionQueue: see completion_queue.h. completion_queue_rooms.cpp has the queue pairs whose results come here,
// completion_queue_events.cpp events and overruns.
#include "transport/verbs/queue/completion_queue.h"

#include <algorithm>
#include <new>
#include <utility>

#include "transport/completion_probe.h"
#include "transport/verbs/device/rdma_core.h"
#include "transport/verbs/queue/request_failure.h"

namespace opennd::verbs {
namespace {

// The most results that one call of ibv_poll_cq takes.
constexpr std::size_t kBatch = 16;

// A flag that RoCE sets with each receive.
constexpr unsigned kOfEveryReceive = IBV_WC_GRH;

// Tells the outcome to the window or the fast region that a request was about. The slot's reference may be the last.
void settle_subject(RequestSlot& slot, bool succeeded, AfterLock& after) {
    TransportRequestSubject* const subject = slot.subject();
    if (!subject) return;
    slot.extra = {};
    dynamic_cast<SettledSubject&>(*subject).completed(slot.operation, succeeded, after);
    after.add(Turn::connection, [kept = Ref<TransportRequestSubject>(subject)] {});
    subject->drop_ref();
}

bool has_immediate(const ibv_wc& result) { return (result.wc_flags & IBV_WC_WITH_IMM) != 0; }

// Immediate data are in network byte order, in which every peer on InfiniBand and RoCE has them (ND2-IMM-DATA-01).
void note_immediate(const ibv_wc& result, Completion& completion) {
    const bool of_write = result.opcode == IBV_WC_RECV_RDMA_WITH_IMM;
    completion.arrival = completion.arrival | Arrival::with_immediate | (of_write ? Arrival::of_write : Arrival::none);
    completion.number = exchange_octets(result.imm_data);
}

// Calls `call` of the queue pair once no lock is held, unless it is being destroyed.
template <typename Call>
void tell_later(AfterLock& after, Turn turn, RequestOwner& queue_pair, Call call) {
    if (auto alive = Ref<const RefCounted>::if_alive(&queue_pair.object()))
        after.add(turn, [alive, &queue_pair, call] { call(queue_pair); });
}

// Completes a request that the hardware did not carry out; the first failure ends the queue pair.
void complete_failed(const ibv_wc& result, RequestOwner& queue_pair, Completion& completion, AfterLock& after) {
    const RequestSlot& slot = *reinterpret_cast<RequestSlot*>(result.wr_id);
    const Status status = queue_pair.outcome_of(result, slot);
    completion = {.status = status,
                  .operation = slot.operation,
                  .arrival = Arrival::solicited,
                  .queue_pair_context = queue_pair.context(),
                  .request_context = slot.context,
                  .number = provider_code_of(result)};
    if (result.status == IBV_WC_WR_FLUSH_ERR) return;
    const RequestFailure failure{slot.operation, status, result.status, result.vendor_err};
    tell_later(after, Turn::failure, queue_pair, [failure](RequestOwner& failed) { failed.fail(failure); });
}

}  // namespace

VerbsCompletionQueue::VerbsCompletionQueue(Ref<Device> device, std::uint32_t depth, OverrunRule rule,
                                           NotifyRule notify_rule, CompletionQueueSink& sink)
    : device_(std::move(device)),
      rule_(rule),
      notify_rule_(notify_rule),
      processors_(sink.processors()),
      ring_(depth, rule, notify_rule, sink) {}

VerbsCompletionQueue::~VerbsCompletionQueue() = default;

std::size_t VerbsCompletionQueue::poll(std::span<Completion> completions) {
    AfterLock after;
    std::size_t taken = 0;
    {
        const Held lock(ring_.lock());
        if (ring_.empty() && !ring_.sees_all()) [[likely]] {
            taken = poll_hardware(completions, after);
        } else {
            drain_locked(after);
            taken = ring_.take(completions);
        }
    }
    after.run();
    return taken;
}

// Polls the hardware. All results pass through the ring once something is in it.
std::size_t VerbsCompletionQueue::poll_hardware(std::span<Completion> completions, AfterLock& after) {
    std::size_t used = 0;
    for (const std::unique_ptr<HardwareQueue>& queue : hardware_) {
        ibv_wc results[kBatch];
        while (used < completions.size()) {
            const auto most = static_cast<int>(std::min(kBatch, completions.size() - used));
            const int got = queue->poll(most, results);
            for (int i = 0; i < got; ++i) {
                const std::uint32_t credit = convert(results[i], completions[used], after);
                if (credit == 0) continue;
                RequestRing* const ring = reinterpret_cast<RequestSlot*>(results[i].wr_id)->ring;
                if (!ring_.empty()) [[unlikely]] {
                    append({completions[used], {ring, credit}}, after);
                    continue;
                }
                ring->give_back(credit);
                probe_completion(completions[used]);
                ++used;
            }
            if (got < most) break;  // negative: the device is gone, and its end is told otherwise
        }
    }
    if (!ring_.empty()) [[unlikely]]
        used += ring_.take(completions.subspan(used));
    return used;
}

inline std::uint32_t VerbsCompletionQueue::convert(const ibv_wc& result, Completion& completion, AfterLock& after) {
    const RequestSlot& slot = *reinterpret_cast<RequestSlot*>(result.wr_id);
    RequestRing& ring = *slot.ring;
    if (result.status != IBV_WC_SUCCESS || (result.wc_flags & ~kOfEveryReceive) != 0 || slot.subject() != nullptr ||
        ring.results() != RequestRing::Results::delivered || ring.awaited.load(std::memory_order_relaxed)) [[unlikely]]
        return convert_rarely(result, completion, after);
    const std::uint32_t retired = ring.retire(slot.number);
    if (has(slot.flags, RequestFlags::silent_success)) [[unlikely]] {
        ring.give_back(retired);
        if (ring.is_teller(slot)) ring.teller_posted.store(false, std::memory_order_relaxed);
        return 0;
    }
    const bool receive = slot.operation == Operation::receive;
    if (receive) ring.heard.store(true, std::memory_order_relaxed);
    completion.status = Status::success;
    completion.operation = slot.operation;
    completion.arrival = solicited_if(receive);  // perhaps: the hardware does not tell
    completion.length_bytes = receive ? result.byte_len : slot.length_bytes;
    completion.queue_pair_context = ring.queue_pair_context();
    completion.request_context = slot.context;
    completion.invalidated = Token::none;
    completion.number = 0;
    return retired;
}

std::uint32_t VerbsCompletionQueue::convert_rarely(const ibv_wc& result, Completion& completion, AfterLock& after) {
    RequestSlot& slot = *reinterpret_cast<RequestSlot*>(result.wr_id);
    RequestRing& ring = *slot.ring;
    if (ring.results() == RequestRing::Results::shared) return convert_shared(result, completion, after);
    if (ring.results() == RequestRing::Results::ignored) return 0;  // its slots may be another request's
    settle_subject(slot, result.status == IBV_WC_SUCCESS, after);
    if (ring.awaited.exchange(false, std::memory_order_relaxed))
        tell_later(after, Turn::request, *ring.queue_pair(), [](RequestOwner& waiting) { waiting.go_on(); });
    if (ring.results() == RequestRing::Results::counted) {
        (void)ring.retire(slot.number);
        return 0;
    }
    if (result.status != IBV_WC_SUCCESS && ring.is_teller(slot)) return fail_teller(result, after);
    if (result.status != IBV_WC_SUCCESS) return convert_failed(result, completion, after);
    ibv_wc plain = result;
    plain.wc_flags = 0;
    const std::uint32_t credit = convert(plain, completion, after);
    if (credit != 0 && has_immediate(result)) note_immediate(result, completion);
    if (credit != 0 && is_invalidation(result)) note_invalidation(result, *ring.queue_pair(), completion, after);
    return credit;
}

// Converts the result of a shared receive. If its queue pair is gone, only the slot is of interest.
std::uint32_t VerbsCompletionQueue::convert_shared(const ibv_wc& result, Completion& completion, AfterLock& after) {
    const RequestSlot& slot = *reinterpret_cast<RequestSlot*>(result.wr_id);
    RequestRing& ring = *slot.ring;
    const auto taker = takers_.find(result.qp_num);
    if (taker == takers_.end()) {
        ring.give_back(1);
    } else if (result.status != IBV_WC_SUCCESS) {
        complete_failed(result, *taker->second, completion, after);
    } else {
        taker->second->note_heard();
        completion = {.operation = Operation::receive,
                      .arrival = Arrival::solicited,  // perhaps: the hardware does not tell
                      .length_bytes = result.byte_len,
                      .queue_pair_context = taker->second->context(),
                      .request_context = slot.context};
        if (has_immediate(result)) note_immediate(result, completion);
        if (is_invalidation(result)) note_invalidation(result, *taker->second, completion, after);
    }
    ring.shared_queue()->retire(slot, after);
    return taker == takers_.end() ? 0 : 1;
}

bool VerbsCompletionQueue::is_invalidation(const ibv_wc& result) const {
    const bool by_checksum = device_->quirks().tells_invalidation_as_checksum;
    return (result.wc_flags & (IBV_WC_WITH_INV | (by_checksum ? IBV_WC_IP_CSUM_OK : 0))) != 0;
}

// Notes an invalidation by the peer. A program of version 1 has a result of its own for it, directly before the
// receive's (ND1-MW-05, -06).
void VerbsCompletionQueue::note_invalidation(const ibv_wc& result, RequestOwner& queue_pair, Completion& completion,
                                             AfterLock& after) {
    completion.invalidated = to_token(result.invalidated_rkey);
    if (void* const context = queue_pair.take_window(completion.invalidated, after))
        append({{.operation = Operation::remote_invalidation,
                 .queue_pair_context = queue_pair.context(),
                 .request_context = context},
                {nullptr, 0}},
               after);
}

std::uint32_t VerbsCompletionQueue::convert_failed(const ibv_wc& result, Completion& completion, AfterLock& after) {
    const RequestSlot& slot = *reinterpret_cast<RequestSlot*>(result.wr_id);
    complete_failed(result, *slot.ring->queue_pair(), completion, after);
    if (completion.status == Status::canceled)
        completion.status = std::exchange(slot.ring->oldest_outcome, Status::canceled);
    return slot.ring->retire(slot.number);
}

// A request of OpenND's own makes no completion. If it is not flushed, those before it have succeeded.
std::uint32_t VerbsCompletionQueue::fail_teller(const ibv_wc& result, AfterLock& after) {
    const RequestSlot& slot = *reinterpret_cast<RequestSlot*>(result.wr_id);
    RequestRing& ring = *slot.ring;
    ring.teller_posted.store(false, std::memory_order_relaxed);
    if (result.status == IBV_WC_WR_FLUSH_ERR) return 0;
    ring.give_back(ring.retire(slot.number));
    const RequestFailure failure{slot.operation, ring.queue_pair()->outcome_of(result, slot), result.status,
                                 result.vendor_err};
    tell_later(after, Turn::failure, *ring.queue_pair(), [failure](RequestOwner& failed) { failed.fail(failure); });
    return 0;
}

void VerbsCompletionQueue::drain_locked(AfterLock& after) {
    for (const std::unique_ptr<HardwareQueue>& queue : hardware_) {
        ibv_wc results[kBatch];
        int got = kBatch;
        while (got == static_cast<int>(kBatch)) {
            got = queue->poll(kBatch, results);
            for (int i = 0; i < got; ++i) {
                RequestRing* const ring = reinterpret_cast<RequestSlot*>(results[i].wr_id)->ring;
                Completion completion;
                const std::uint32_t credit = convert(results[i], completion, after);
                if (credit != 0) append({completion, {ring, credit}}, after);
            }
        }
    }
}

void VerbsCompletionQueue::drain(AfterLock& after) {
    const Held lock(ring_.lock());
    drain_locked(after);
}

void VerbsCompletionQueue::append(Ring::Entry entry, AfterLock& after) {
    if (closed_) free_shared_slot(entry.credit);
    probe_completion(entry.completion);
    const Ring::Added added = ring_.append(entry);
    if (!added.kept) free_shared_slot(entry.credit);
    if (added.due) after.add(Turn::event, *this);
}

void VerbsCompletionQueue::cancel(RequestRing& ring, std::uint32_t tail, AfterLock& after) {
    const Held lock(ring_.lock());
    drain_locked(after);  // completed requests come first
    for (std::uint32_t number = ring.retired(); number != tail; ++number) {
        RequestSlot& slot = ring[number];
        settle_subject(slot, false, after);
        (void)ring.retire(number);
        append({{.status = std::exchange(ring.oldest_outcome, Status::canceled),
                 .operation = slot.operation,
                 .arrival = Arrival::solicited,
                 .queue_pair_context = ring.queue_pair_context(),
                 .request_context = slot.context},
                {&ring, 1}},
               after);
    }
}

void VerbsCompletionQueue::refuse(RequestRing& ring, Status status, AfterLock& after) {
    const Held lock(ring_.lock());
    drain_locked(after);
    const std::uint32_t number = ring.retired();
    RequestSlot& slot = ring[number];
    settle_subject(slot, false, after);
    (void)ring.retire(number);
    append({{.status = status,
             .operation = slot.operation,
             .arrival = Arrival::solicited,
             .queue_pair_context = ring.queue_pair_context(),
             .request_context = slot.context},
            {&ring, 1}},
           after);
}

void VerbsCompletionQueue::set_results(const Ref<RequestRing>& ring, RequestRing::Results results) {
    const Held lock(ring_.lock());
    if (results == RequestRing::Results::ignored && ring->results() != results) abandoned_.push_back(ring);
    ring->set_results(results);
}

std::uint32_t VerbsCompletionQueue::recall(RequestRing& ring) {
    const Held lock(ring_.lock());
    ring.set_results(RequestRing::Results::counted);
    forget_locked(ring);
    return ring.retired();
}

void VerbsCompletionQueue::forget(const RequestRing& ring) {
    const Held lock(ring_.lock());
    forget_locked(ring);
}

void VerbsCompletionQueue::forget_locked(const RequestRing& ring) {
    ring_.for_each_credit([&ring](Credit& credit) {
        if (credit.ring == &ring) credit.ring = nullptr;
    });
}

bool VerbsCompletionQueue::names(const RequestRing& ring) {
    return ring_.has_credit([&ring](const Credit& credit) { return credit.ring == &ring; });
}

void VerbsCompletionQueue::keep(const Ref<RequestRing>& ring) {
    const Held lock(ring_.lock());
    std::erase_if(kept_, [&](const Ref<RequestRing>& each) REQUIRES(ring_.lock()) { return !names(*each); });
    if (names(*ring) && std::find(kept_.begin(), kept_.end(), ring) == kept_.end()) kept_.push_back(ring);
}

// Frees the slot of a shared receive of which nobody will retrieve the result.
void VerbsCompletionQueue::free_shared_slot(Credit& credit) {
    if (credit.ring && credit.ring->results() == RequestRing::Results::shared)
        std::exchange(credit.ring, nullptr)->give_back(credit.requests);
}

void VerbsCompletionQueue::set_oldest(RequestRing& ring, Status status) {
    const Held lock(ring_.lock());
    ring.oldest_outcome = status;
}

std::uint32_t VerbsCompletionQueue::count_owed(const RequestRing& ring, std::uint32_t started) {
    const Held lock(ring_.lock());
    const std::uint32_t retired = ring.retired();
    return static_cast<std::int32_t>(started - retired) > 0 ? started - retired : 0;
}

}  // namespace opennd::verbs

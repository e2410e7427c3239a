// SPDX-License-Identifier: MIT
// See completion_queue.h. The transport is armed for one kind at a time; several requests may stand behind it.
#include "core/queue/completion_queue.h"

#include <utility>

#include "base/explanation.h"
#include "core/adapter/adapter.h"

namespace opennd {
namespace {

RequestKind request_kind(NotifyKind kind) {
    switch (kind) {
        case NotifyKind::errors: return RequestKind::notify_errors;
        case NotifyKind::solicited: return RequestKind::notify_solicited;
        case NotifyKind::any: return RequestKind::notify_any;
    }
    return RequestKind::notify_any;
}

// The kind to arm the transport for: any dominates solicited dominates errors (ND2-CQ-NTF-05).
NotifyKind strongest(const PendingRequests& pending) {
    if (pending.has(RequestKind::notify_any)) return NotifyKind::any;
    return pending.has(RequestKind::notify_solicited) ? NotifyKind::solicited : NotifyKind::errors;
}

[[gnu::cold]] Status refuse_dead(Status failure, std::string_view operation, std::string_view requirement) {
    return explain(failure, {.object = "completion queue",
                             .operation = operation,
                             .asked = "called on a queue that has failed",
                             .limit = "until the queue fails",
                             .remedy = "release it and its queue pairs, and create them anew with more room",
                             .requirement = requirement});
}

}  // namespace

Result<Ref<CompletionQueue>> CompletionQueue::create(Ref<Adapter> adapter, std::uint32_t depth, NotifyRule rule,
                                                     CompletionQueueListener* listener,
                                                     const ProcessorGroup& processors) {
    Ref<CompletionQueue> queue(new CompletionQueue(std::move(adapter), depth, rule, listener, processors));
    Result<Ref<TransportCompletionQueue>> transport =
        queue->adapter_->transport().create_completion_queue(depth, rule, *queue);
    if (!transport.ok()) return transport.status();
    queue->transport_ = transport.take();
    queue->place_.enter(*queue);
    queue->transport_->set_number(queue->place_.number());
    return queue;
}

CompletionQueue::CompletionQueue(Ref<Adapter> adapter, std::uint32_t depth, NotifyRule rule,
                                 CompletionQueueListener* listener, const ProcessorGroup& processors)
    : adapter_(std::move(adapter)),
      rule_(rule),
      listener_(listener),
      processors_(processors),
      depth_(depth),
      place_(adapter_->inventory().completion_queues) {}

CompletionQueue::~CompletionQueue() = default;

Status CompletionQueue::notify(NotifyKind kind, std::unique_ptr<AsyncRequest> request) {
    NotifyKind armed_for;
    {
        const Held lock(mutex_);
        if (!ok(failure_)) return refuse_dead(failure_, "Notify", "ND2-CQ-NTF-07");
        pending_.add(std::move(request), request_kind(kind));
        armed_for = strongest(pending_);
    }
    // The request is in the list first: a completion that arrives before arm() is found by it (ND2-CQ-NTF-08).
    transport_->arm(armed_for);
    return Status::success;
}

// Every event matches ANY, and an event for an ANY also completes the SOLICITED ones (ND2-CQ-NTF-05). If the ANY was
// cancelled after the transport was armed, a SOLICITED one completes without a matching completion, which clients allow
// for (ND2-CQ-NTF-02). ERRORS requests stay, or go with the others (ND1-CQ-NTF-08).
void CompletionQueue::on_completion_event(NotifyKind) {
    if (listener_) return listener_->on_event(Status::success);
    CompletionBatch batch(in_flight_);
    const Held lock(mutex_);
    RequestKind kinds = RequestKind::notify_any | RequestKind::notify_solicited;
    if (rule_ == NotifyRule::events) kinds = kinds | RequestKind::notify_errors;
    pending_.take(kinds, Status::success, batch);
}

bool CompletionQueue::notify_waits() const {
    const Held lock(mutex_);
    return pending_.has(RequestKind::every);
}

bool CompletionQueue::failed() const {
    const Held lock(mutex_);
    return !ok(failure_);
}

void CompletionQueue::on_overrun() {
    {
        CompletionBatch batch(in_flight_);
        const Held lock(mutex_);
        failure_ = Status::overrun;
        adapter_->activity().on_queue_error(adapter_->face());
        pending_.take(RequestKind::every, Status::overrun, batch);
    }
    if (listener_) listener_->on_event(Status::overrun);
}

Status CompletionQueue::resize(std::uint32_t depth) {
    if (!adapter_->traits().resizes_completion_queues)
        return explain(Status::not_supported,
                       {.object = "completion queue",
                        .operation = "Resize",
                        .asked = phrase("depth {}", depth),
                        .limit = "the depth of its creation: the adapter cannot resize (CQ_RESIZE_SUPPORTED)",
                        .remedy = "create it as deep as it will have to be",
                        .requirement = "ND2-CQ-RSZ-01",
                        .imposed_by = adapter_->imposer(&AdapterTraits::resizes_completion_queues)});
    const std::uint32_t most = adapter_->limits().max_completion_depth;
    if (depth == 0 || depth > most) {
        return explain(Status::invalid_parameter,
                       {.object = "completion queue",
                        .operation = "Resize",
                        .asked = phrase("depth {}", depth),
                        .limit = phrase("1 to {}", most),
                        .remedy = "stay within the adapter's MaxCompletionQueueDepth",
                        .requirement = "ND2-CQ-RSZ-01",
                        .imposed_by = adapter_->imposer(&AdapterLimits::max_completion_depth, most)});
    }
    {
        const Held lock(mutex_);
        if (!ok(failure_)) return refuse_dead(failure_, "Resize", "ND2-CQ-RSZ-03");
    }
    const Status status = transport_->resize(depth);
    if (ok(status)) depth_.store(depth, std::memory_order_relaxed);
    if (status != Status::overrun) return status;
    return explain(status, {.object = "completion queue",
                            .operation = "Resize",
                            .asked = phrase("depth {}", depth),
                            .limit = "at least the number of results that wait in it",
                            .remedy = "take results first, or ask for more",
                            .requirement = "ND2-CQ-RSZ-01"});
}

void CompletionQueue::cancel() {
    {
        CompletionBatch batch(in_flight_);
        const Held lock(mutex_);
        pending_.take(RequestKind::every, Status::canceled, batch);
        transport_->disarm();  // under the lock: a request that comes later arms later
    }
    in_flight_.wait_until_idle();
}

void CompletionQueue::close() {
    cancel();
    transport_->close();  // no call of the sink runs or begins from here on
}

}  // namespace opennd

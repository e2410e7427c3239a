// SPDX-License-Identifier: MIT
// See shared_receive_queue.h.
#include "core/queue/shared_receive_queue.h"

#include <utility>

#include "base/explanation.h"
#include "core/adapter/adapter.h"

namespace opennd {

Result<Ref<SharedReceiveQueue>> SharedReceiveQueue::create(Ref<Adapter> adapter,
                                                           const SharedReceiveQueueLimits& wanted) {
    SharedReceiveQueueLimits limits = wanted;
    limits.sges = Adapter::round_up_sges(wanted.sges, adapter->limits().max_receive_sges);
    Ref<SharedReceiveQueue> queue(new SharedReceiveQueue(std::move(adapter), limits));
    Result<Ref<TransportSharedReceiveQueue>> transport =
        queue->adapter_->transport().create_shared_receive_queue(limits, *queue);
    if (!transport.ok()) return transport.status();
    queue->transport_ = transport.take();
    queue->place_.enter(*queue);
    queue->transport_->set_number(queue->place_.number());
    return queue;
}

SharedReceiveQueue::SharedReceiveQueue(Ref<Adapter> adapter, const SharedReceiveQueueLimits& limits)
    : adapter_(std::move(adapter)),
      max_sges_(limits.sges),
      max_transfer_bytes_(adapter_->limits().max_transfer_bytes),
      depth_(limits.depth),
      threshold_(limits.threshold),
      place_(adapter_->inventory().shared_receive_queues) {}

SharedReceiveQueue::~SharedReceiveQueue() = default;

Status SharedReceiveQueue::refuse_sges(std::size_t count) const {
    return explain(Status::too_many_sges,
                   {.object = "shared receive queue",
                    .operation = "Receive",
                    .asked = phrase("{} scatter/gather entries", count),
                    .limit = phrase("{}", max_sges_),
                    .remedy = "create it with a larger maximum, or use fewer entries",
                    .requirement = "ND2-SRQ-RECV-01",
                    .imposed_by = adapter_->imposer(&AdapterLimits::max_receive_sges, max_sges_)});
}

Status SharedReceiveQueue::refuse(std::span<const Sge> sges, Status status) const {
    if (status == Status::too_many_sges) return refuse_sges(sges.size());
    return status == Status::message_too_long ? refuse_length(sges) : status;
}

Status SharedReceiveQueue::refuse_length(std::span<const Sge> sges) const {
    return explain(Status::message_too_long,
                   {.object = "shared receive queue",
                    .operation = "Receive",
                    .asked = phrase("{} bytes", total_length(sges)),
                    .limit = phrase("{} bytes (MaxTransferLength)", max_transfer_bytes_),
                    .remedy = "use several requests",
                    .requirement = "ND2-SRQ-RECV-01",
                    .imposed_by = adapter_->imposer(&AdapterLimits::max_transfer_bytes, max_transfer_bytes_)});
}

SharedReceiveQueueLimits SharedReceiveQueue::limits() const {
    const Held lock(mutex_);
    return {.depth = depth_, .sges = max_sges_, .threshold = threshold_};
}

Status SharedReceiveQueue::notify(std::unique_ptr<AsyncRequest> request) {
    {
        const Held lock(mutex_);
        if (failed_)
            return explain(Status::internal_error, {.object = "shared receive queue",
                                                    .operation = "Notify",
                                                    .asked = "an event of a queue that has failed",
                                                    .limit = "while it works",
                                                    .remedy = "release it and its queue pairs, and make new ones",
                                                    .requirement = "ND2-SRQ-NTF-03"});
        pending_.add(std::move(request), RequestKind::notify_low);
    }
    // The request is in the list first: if the queue runs low before arm(), arm() finds it so.
    transport_->arm();
    return Status::success;
}

Status SharedReceiveQueue::modify(std::uint32_t depth, std::uint32_t threshold) {
    {
        const Held lock(mutex_);
        if (depth == 0) depth = depth_;
        if (threshold == 0) threshold = threshold_;
        const std::uint32_t maximum = adapter_->limits().max_shared_receive_depth;
        if (depth > maximum || threshold > depth)
            return explain(
                Status::invalid_parameter,
                {.object = "shared receive queue",
                 .operation = "Modify",
                 .asked = phrase("depth {} and threshold {}", depth, threshold),
                 .limit = phrase("a depth of {}, and a threshold of the depth", maximum),
                 .remedy = "give a threshold that shall go down with the depth along with it",
                 .requirement = "ND2-SRQ-MOD-01",
                 .imposed_by = depth > maximum ? adapter_->imposer(&AdapterLimits::max_shared_receive_depth, maximum)
                                               : std::string_view()});
        const Status status = transport_->modify(depth, threshold);
        if (status == Status::overrun)
            return explain(status, {.object = "shared receive queue",
                                    .operation = "Modify",
                                    .asked = phrase("depth {}", depth),
                                    .limit = "no less than the receives with results still to take",
                                    .remedy = "take results first, or keep more depth",
                                    .requirement = "ND2-SRQ-RECV-04"});
        if (!ok(status)) return status;  // explained where it was decided
        depth_ = depth;
        threshold_ = threshold;
        if (!pending_.has(RequestKind::notify_low)) return Status::success;
    }
    transport_->arm();  // those that wait may have waited for this threshold
    return Status::success;
}

// One event completes all (ND2-SRQ-NTF-02).
void SharedReceiveQueue::on_low() {
    CompletionBatch batch(in_flight_);
    const Held lock(mutex_);
    pending_.take(RequestKind::every, Status::success, batch);
}

void SharedReceiveQueue::on_failed() {
    (void)report(Status::internal_error, {.object = "shared receive queue",
                                          .operation = "taking a receive",
                                          .asked = "a receive of a queue that has failed",
                                          .limit = "it and the queue pairs that use it are dead",
                                          .remedy = "release them and make new ones",
                                          .requirement = "ND2-SRQ-NTF-03"});
    CompletionBatch batch(in_flight_);
    const Held lock(mutex_);
    failed_ = true;
    pending_.take(RequestKind::every, Status::internal_error, batch);
}

void SharedReceiveQueue::cancel() {
    {
        CompletionBatch batch(in_flight_);
        const Held lock(mutex_);
        pending_.take(RequestKind::every, Status::canceled, batch);
    }
    in_flight_.wait_until_idle();
}

void SharedReceiveQueue::close() {
    cancel();
    transport_->close();  // no call of the sink runs or begins from here on
}

}  // namespace opennd

// SPDX-License-Identifier: MIT
// See shared_receive_queue.h.
#include "core/shared_receive_queue.h"

#include <utility>

#include "base/log.h"
#include "core/adapter.h"

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
    return queue;
}

SharedReceiveQueue::SharedReceiveQueue(Ref<Adapter> adapter, const SharedReceiveQueueLimits& limits)
    : adapter_(std::move(adapter)),
      max_sges_(limits.sges),
      max_transfer_bytes_(adapter_->limits().max_transfer_bytes),
      depth_(limits.depth),
      threshold_(limits.threshold) {}

SharedReceiveQueue::~SharedReceiveQueue() = default;

Status SharedReceiveQueue::refuse_sges(std::size_t count) const {
    log(LogLevel::warn,
        "shared receive queue: Receive with {} scatter/gather entries, but it takes {}; create it with a larger "
        "maximum, "
        "or use fewer entries",
        count, max_sges_);
    return Status::too_many_sges;
}

Status SharedReceiveQueue::refuse_length(std::span<const Sge> sges) const {
    log(LogLevel::warn,
        "shared receive queue: Receive of {} bytes, but the adapter transfers at most {} at a time; use several "
        "requests",
        total_length(sges), max_transfer_bytes_);
    return Status::message_too_long;
}

Status SharedReceiveQueue::notify(std::unique_ptr<AsyncRequest> request) {
    {
        const Held lock(mutex_);
        if (failed_) return Status::internal_error;
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
        if (depth > maximum || threshold > depth) {
            log(LogLevel::warn,
                "shared receive queue: change to depth {} and threshold {}, but the adapter allows a depth of {}, and "
                "the "
                "queue a threshold of its depth; a threshold that shall go down with the depth is given along with it "
                "(ND2-SRQ-MOD-01)",
                depth, threshold, maximum);
            return Status::invalid_parameter;
        }
        if (const Status status = transport_->modify(depth, threshold); !ok(status)) {
            log(LogLevel::warn,
                "shared receive queue: change to depth {}: {}. A receive is outstanding until its result is retrieved "
                "(ND2-SRQ-RECV-04)",
                depth, name(status));
            return status;
        }
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
    log(LogLevel::warn, "shared receive queue: failed; it and the queue pairs that use it are dead");
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

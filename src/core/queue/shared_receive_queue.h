// SPDX-License-Identifier: MIT
// A shared receive queue: its limits, and the requests that wait until it is low (ND2-SRQ-NTF). Posting goes straight to
// the transport, as with a queue pair. Next: transport/shared_receive_queue.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "base/lock.h"
#include "base/ref.h"
#include "base/result.h"
#include "core/adapter/live_objects.h"
#include "core/request/async_request.h"
#include "core/request/pending_requests.h"
#include "model/limits.h"
#include "model/sge.h"
#include "transport/shared_receive_queue.h"

namespace opennd {

class Adapter;

class SharedReceiveQueue final : public RefCounted, private SharedReceiveQueueSink {
public:
    // The numbers are within the adapter's limits and the threshold within the depth; the entry count is rounded up
    // like a queue pair's (ND2-ADP-QP-05). Fails with the transport's status if it has no room. Every queue needs a
    // close(), even an unused one.
    static Result<Ref<SharedReceiveQueue>> create(Ref<Adapter> adapter, const SharedReceiveQueueLimits& wanted);
    ~SharedReceiveQueue() override;

    const Adapter& adapter() const { return *adapter_; }
    const Ref<TransportSharedReceiveQueue>& transport() const { return transport_; }
    std::uint32_t max_sges() const { return max_sges_; }

    // success: accepted; a completion follows once a message took it. Otherwise no trace is left (ND2-SRQ-RECV-01):
    //   too_many_sges, message_too_long (over the adapter's transfer length), queue_full
    Status post(void* context, std::span<const Sge> sges) {
        const Status status = try_post(context, sges);
        if (!ok(status)) [[unlikely]]
            return refuse(sges, status);
        return status;
    }
    // try_post() does not explain a refusal, refuse() does: a face names its call only after a failure
    // (base/explanation.h).
    Status try_post(void* context, std::span<const Sge> sges) {
        if (sges.size() > max_sges_) [[unlikely]]
            return Status::too_many_sges;
        if (total_length(sges) > max_transfer_bytes_) [[unlikely]]
            return Status::message_too_long;
        return transport_->post(context, sges);
    }
    [[gnu::cold]] Status refuse(std::span<const Sge> sges, Status status) const;

    // The explanation of post() for more entries than the queue takes.
    Status refuse_sges(std::size_t count) const;

    // Waits until fewer receives than the threshold are left for messages to take, which may be so now (ND2-SRQ-NTF-01).
    // success: pending; it completes with success, canceled, or internal_error. internal_error: the queue has failed.
    Status notify(std::unique_ptr<AsyncRequest> request) EXCLUDES(mutex_);

    // 0 leaves the one as it is; both change, or none (ND2-SRQ-MOD-01). invalid_parameter: depth above the adapter's
    // maximum, or threshold above the depth; overrun: more receives are outstanding.
    Status modify(std::uint32_t depth, std::uint32_t threshold) EXCLUDES(mutex_);

    // For people who look into the process: its number among the shared receive queues of the process; the limits in force.
    std::uint32_t number() const { return place_.number(); }
    SharedReceiveQueueLimits limits() const EXCLUDES(mutex_);

    // Completes the pending requests as canceled; all are complete on return (ND2-OVL-12). The queue stays usable.
    void cancel() EXCLUDES(mutex_);

    // Releases it for the program: cancel(); queue pairs go on using posted receives (ND2-SRQ-FLUSH-01). Once.
    void close() EXCLUDES(mutex_);

private:
    SharedReceiveQueue(Ref<Adapter> adapter, const SharedReceiveQueueLimits& limits);

    Status refuse_length(std::span<const Sge> sges) const;
    void on_low() override EXCLUDES(mutex_);
    void on_failed() override EXCLUDES(mutex_);

    // Constant after create().
    const Ref<Adapter> adapter_;
    const std::uint32_t max_sges_;
    const std::uint32_t max_transfer_bytes_;
    Ref<TransportSharedReceiveQueue> transport_;

    mutable Mutex mutex_;
    std::uint32_t depth_ GUARDED_BY(mutex_);
    std::uint32_t threshold_ GUARDED_BY(mutex_);
    bool failed_ GUARDED_BY(mutex_) = false;  // for good
    PendingRequests pending_ GUARDED_BY(mutex_);
    InFlight in_flight_;

    LiveObjects<SharedReceiveQueue>::Place place_;
};

}  // namespace opennd

// SPDX-License-Identifier: MIT
// See shared_receive_queue.h.
#include "ndk/queue/shared_receive_queue.h"

#include <memory>
#include <utility>

#include "ndk/call/process_dispatch.h"
#include "ndk/call/refusal.h"
#include "ndk/call/request.h"
#include "ndk/object/adapter.h"
#include "ndk/object/request_callback.h"

namespace opennd {

NTSTATUS NdkSharedReceiveQueue::create(NdkProtectionDomain& domain, const SharedReceiveQueueLimits& limits,
                                       const Notification& notification, NDK_SRQ** made) {
    constexpr NdkCall call{"protection domain", "NdkCreateSrq", "NDK-SRQ-01"};
    return create_at_face(call, domain.adapter(), made, [&](NDK_SRQ** out) -> NTSTATUS {
        const NDK_ADAPTER_INFO& can = domain.adapter().info();
        if (limits.depth == 0 || limits.depth > can.MaxSrqDepth)
            return refuse_number(call, "shared receive queue depth", limits.depth, 1, can.MaxSrqDepth, "NDK-SRQ-01",
                                 domain.core()->imposer(&AdapterLimits::max_shared_receive_depth, can.MaxSrqDepth));
        if (limits.sges > can.MaxReceiveRequestSge)
            return refuse_number(call, "receive SGEs", limits.sges, 0, can.MaxReceiveRequestSge, "NDK-SRQ-01",
                                 domain.core()->imposer(&AdapterLimits::max_receive_sges, can.MaxReceiveRequestSge));
        if (limits.threshold > limits.depth)
            return refuse_number(call, "notify threshold", limits.threshold, 0, limits.depth, "NDK-SRQ-01");
        std::unique_ptr<NdkSharedReceiveQueue> queue(new NdkSharedReceiveQueue(domain, limits, notification));
        auto core = SharedReceiveQueue::create(domain.core(), limits);
        if (!core.ok()) return to_ntstatus(core.status());
        queue->core_ = core.take();
        *out = queue.release();
        return STATUS_SUCCESS;
    });
}

NdkSharedReceiveQueue::NdkSharedReceiveQueue(NdkProtectionDomain& domain, const SharedReceiveQueueLimits& limits,
                                             const Notification& notification)
    : NDK_SRQ{domain.adapter().header(kType), &dispatch().shared_receive_queue},
      NdkObject(domain.adapter(), "shared receive queue"),
      domain_(domain),
      notification_(notification),
      max_sges_(limits.sges),
      posts_until_armed_(limits.threshold) {}

NTSTATUS NdkSharedReceiveQueue::receive(PVOID context, const NDK_SGE sges[], ULONG count) {
    static constexpr NdkCall call{"shared receive queue", "NdkSrqReceive"};
    if (sges == nullptr && count != 0) [[unlikely]]
        return refuse_null(call, "pSgl");
    if (count > max_sges_) [[unlikely]]
        return at_kernel_face(call, [&]() -> NTSTATUS { return to_ntstatus(core_->refuse_sges(count)); });
    const NdkSgeList list(sges, count);
    const Status status = core_->try_post(context, list.entries(count));
    if (!ok(status)) [[unlikely]]
        return at_kernel_face(call,
                              [&]() -> NTSTATUS { return to_ntstatus(core_->refuse(list.entries(count), status)); });
    if (posts_until_armed_ != 0) [[unlikely]]
        count_post();
    return STATUS_SUCCESS;
}

void NdkSharedReceiveQueue::count_post() {
    if (--posts_until_armed_ != 0) return;
    const NTSTATUS status = at_kernel_face({"shared receive queue", "NdkSrqReceive"},
                                           [this]() -> NTSTATUS { return to_ntstatus(wait_for_low()); });
    if (!NT_SUCCESS(status)) posts_until_armed_ = 1;  // with the next one, then
}

Status NdkSharedReceiveQueue::wait_for_low() {
    if (notification_.function == nullptr) return Status::success;
    std::unique_ptr<AsyncRequest> request = request_to(*this, &NdkSharedReceiveQueue::on_low);
    {
        const Held lock(mutex_);
        if (std::exchange(waiting_, true)) return Status::success;
    }
    const Status status = core_->notify(std::move(request));
    if (ok(status)) return status;
    const Held lock(mutex_);
    waiting_ = false;
    return status;
}

NTSTATUS NdkSharedReceiveQueue::modify(ULONG depth, ULONG threshold) {
    constexpr NdkCall call{"shared receive queue", "NdkModifySrq", "NDK-SRQ-01"};
    return at_kernel_face(call, [&]() -> NTSTATUS {
        const Status status = core_->modify(depth, threshold);
        if (status == Status::overrun) return STATUS_INVALID_PARAMETER;  // more receives are queued
        if (!ok(status) || threshold == 0) return to_ntstatus(status);
        posts_until_armed_ = 0;
        return to_ntstatus(wait_for_low());  // may be so now (NDK-SRQ-01)
    });
}

void NdkSharedReceiveQueue::on_low(Status status) {
    const Held lock(mutex_);
    waiting_ = false;
    if (status == Status::canceled || let_go_) return;
    due_ = to_ntstatus(status);
    if (std::exchange(scheduled_, true)) return;
    retain();
    callbacks().schedule(turn_);
}

void NdkSharedReceiveQueue::take_turn() {
    std::optional<NTSTATUS> told;
    {
        const Held lock(mutex_);
        told = std::exchange(due_, std::nullopt);
        if (let_go_) told.reset();
    }
    if (told) notification_.function(notification_.context, *told);
    {
        const Held lock(mutex_);
        scheduled_ = due_ && !let_go_;
        if (scheduled_) {
            retain();
            callbacks().schedule(turn_);
        }
    }
    release();
}

void NdkSharedReceiveQueue::give_up() {
    const Held lock(mutex_);
    let_go_ = true;
}

}  // namespace opennd

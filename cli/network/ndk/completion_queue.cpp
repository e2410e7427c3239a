// SPDX-License-Identifier: MIT
//
// Read completion_queue.h first.
#include "network/ndk/completion_queue.h"

namespace nd {

HRESULT NdkCompletionQueue::make(const NdkAdapter& adapter, ULONG depth, std::unique_ptr<NdkCompletionQueue>& made) {
    std::unique_ptr<NdkCompletionQueue> queue(new NdkCompletionQueue);
    const NTSTATUS status = adapter.call().NdkCreateCq(adapter.get(), depth, notified, queue.get(), nullptr, nullptr,
                                                       nullptr, queue->queue_.put());
    if (status == STATUS_SUCCESS) made = std::move(queue);
    return status;
}

// A completion since the last notification that is still in the queue notifies at once (NDK-CQ-ARM-01).
HRESULT NdkCompletionQueue::Notify(ULONG type, OVERLAPPED* request) {
    begin(request);
    request_.store(request, std::memory_order_release);
    queue_->Dispatch->NdkArmCq(queue_.get(), type);
    return ND_PENDING;
}

// The queue stays armed: its next event completes the next request, and that request's waiter polls again.
void NdkCompletionQueue::CancelOverlappedRequests() {
    if (OVERLAPPED* const request = request_.exchange(nullptr, std::memory_order_acq_rel))
        complete(request, STATUS_CANCELLED);
}

VOID NdkCompletionQueue::notified(PVOID context, NTSTATUS status) {
    auto& queue = *static_cast<NdkCompletionQueue*>(context);
    if (OVERLAPPED* const request = queue.request_.exchange(nullptr, std::memory_order_acq_rel))
        complete(request, status);
}

}  // namespace nd

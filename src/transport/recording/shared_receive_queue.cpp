// SPDX-License-Identifier: MIT
// See shared_receive_queue.h.
#include "transport/recording/shared_receive_queue.h"

#include <new>

namespace opennd::recording {

// As RecordedQueuePair::post().
Status RecordedSharedReceiveQueue::post(void* context, std::span<const Sge> sges) try {
    PostedRequest& opened = record_->open({.operation = Operation::receive, .context = context, .sges = sges});
    const Status status = inner()->post(&opened, sges);
    if (!ok(status)) record_->refuse(opened, status);
    return status;
} catch (const std::bad_alloc&) {
    return Status::no_memory;
}

}  // namespace opennd::recording

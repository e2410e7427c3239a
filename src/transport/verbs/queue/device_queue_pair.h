// SPDX-License-Identifier: MIT
// The ibv_qp of a queue pair, and the room for its results in the completion queues. OpenND makes the ibv_qp, moves it through its states and
// destroys it; an attempt to connect that failed costs it on iWARP, and another takes its place.
#pragma once

#include <optional>

#include "base/lock.h"
#include "base/ref.h"
#include "base/status.h"
#include "model/limits.h"
#include "transport/verbs/memory/open_device.h"
#include "transport/verbs/queue/completion_queue.h"
#include "transport/verbs/queue/shared_receive_queue.h"

namespace opennd::verbs {

// The objects and the limits that a queue pair was made with.
struct QueuePairParts {
    Ref<OpenDevice> adapter;
    QueuePairLimits limits;
    void* context;  // comes back in every completion
    Ref<VerbsCompletionQueue> receives, initiators;
    Ref<VerbsSharedReceiveQueue> shared;  // null: it has receives of its own

    const Ref<Device>& device() const { return adapter->device(); }
};

class DeviceQueuePair {
public:
    // `parts` outlive it. `owner` gets the results of shared receives, `user`, a part of the same object, the events.
    DeviceQueuePair(const QueuePairParts& parts, RequestOwner& owner, DeviceUser& user)
        : parts_(parts), owner_(owner), user_(user) {}
    // Gives the room back, and destroys an ibv_qp that is left.
    ~DeviceQueuePair();
    DeviceQueuePair(const DeviceQueuePair&) = delete;
    DeviceQueuePair& operator=(const DeviceQueuePair&) = delete;

    // Takes room in the completion queues, before the first make(). insufficient_resources, no_memory, explained.
    Status take_room();

    // This mutex is held across the calls that make, change and destroy the ibv_qp; by the queue pair also across
    // several of them that belong together. It is taken before the locks of the queue pair and its queues.
    Mutex& control() const LOCK_RETURNED(control_) { return control_; }

    // Makes the ibv_qp, in state INIT, with the depths that the program asked for. The statuses of
    // resource_status(), device_removed, explained.
    Status make() REQUIRES(control_);
    // The ibv_qp there is now; null: there is none, and the hardware has no part any more.
    ibv_qp* get() const REQUIRES(control_) { return hardware_; }
    // Returns true if the hardware has a place for one more request than the program asked for.
    bool has_spare_place() const REQUIRES(control_) { return has_spare_place_; }
    void to_error() REQUIRES(control_);
    // Destroys the ibv_qp, if there is one. `dialing`: rdma_connect may hold it for minutes, so that a worker destroys
    // it.
    void destroy(bool dialing) REQUIRES(control_);

    // See VerbsQueuePair.
    Status modify(ibv_qp_attr& attributes, int mask) EXCLUDES(control_);
    ReadLimits settled_reads(const ReadLimits& offer) const EXCLUDES(control_);
    std::optional<ibv_ece> device_options() const EXCLUDES(control_);
    void take_peer_options(ibv_ece options) EXCLUDES(control_);

private:
    std::uint32_t request_results() const;

    const QueuePairParts& parts_;
    RequestOwner& owner_;
    DeviceUser& user_;
    HardwareQueue* receive_queue_ = nullptr;  // of the completion queue of receives; set by take_room()
    HardwareQueue* request_queue_ = nullptr;  // of that of initiator requests
    mutable Mutex control_;
    ibv_qp* hardware_ GUARDED_BY(control_) = nullptr;
    bool has_spare_place_ GUARDED_BY(control_) = false;
};

}  // namespace opennd::verbs

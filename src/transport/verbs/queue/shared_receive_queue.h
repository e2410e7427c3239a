// SPDX-License-Identifier: MIT
// A shared receive queue over hardware: an ibv_srq, and the slots of its receives. Any of its queue pairs completes any of them, in
// any order, so that slots become free one by one; OpenND counts the depth itself, as with every queue. Read request_ring.h first.
//
// The device tells once that few receives are left, and not that few are left already: OpenND counts before and after it asks.
// Receives count as left until their results arrive in a completion queue, or until the device tells.
#pragma once

#include <cstdint>
#include <vector>

#include "base/lock.h"
#include "model/limits.h"
#include "transport/shared_receive_queue.h"
#include "transport/verbs/queue/completion_queue.h"
#include "transport/verbs/queue/request_ring.h"

namespace opennd::verbs {

class OpenDevice;

class VerbsSharedReceiveQueue final : public TransportSharedReceiveQueue,
                                      public Deferrable,
                                      public DeviceUser,
                                      public SlotOwner {
public:
    // Makes a queue. Explained: insufficient_resources, device_removed.
    static Result<Ref<VerbsSharedReceiveQueue>> create(Ref<OpenDevice> adapter, const SharedReceiveQueueLimits& limits,
                                                       SharedReceiveQueueSink& sink);
    // No queue pair takes from it any more when this runs.
    ~VerbsSharedReceiveQueue() override;

    Status post(void* context, std::span<const Sge> sges) override EXCLUDES(lock_);
    void arm() override EXCLUDES(control_, attached_mutex_, lock_);
    std::uint32_t count_posted() override EXCLUDES(lock_);
    Status modify(std::uint32_t depth, std::uint32_t threshold) override EXCLUDES(control_, attached_mutex_, lock_);
    void close() override;

    // ---- For its queue pairs.

    ibv_srq* get() const { return queue_; }
    // Takes room in the completion queue of the receives that `queue_pair` takes. insufficient_resources, explained.
    Result<HardwareQueue*> attach(RequestOwner& queue_pair, VerbsCompletionQueue& receives)
        EXCLUDES(attached_mutex_, lock_);
    void detach(RequestOwner& queue_pair, VerbsCompletionQueue& receives) EXCLUDES(attached_mutex_, lock_);
    const Ref<RequestRing>& ring() const { return ring_; }

    void retire(const RequestSlot& slot, AfterLock& after) override EXCLUDES(lock_);
    // Calls the sink if an event is due. No lock held.
    void run_deferred() override EXCLUDES(lock_);

private:
    VerbsSharedReceiveQueue(Ref<OpenDevice> adapter, ibv_srq* queue, const SharedReceiveQueueLimits& limits,
                            SharedReceiveQueueSink& sink);

    void on_async_event(ibv_event_type type) override;
    void on_device_removed() override;

    void drain() EXCLUDES(attached_mutex_, lock_);
    void ask_for_event(std::uint32_t threshold) REQUIRES(control_);
    Status grow(std::uint32_t depth) REQUIRES(control_) EXCLUDES(attached_mutex_, lock_);
    void fail();
    [[gnu::cold]] Status refuse_growth(std::uint32_t depth, int error) const;

    // Constant after construction.
    const Ref<OpenDevice> adapter_;
    ibv_srq* const queue_;
    const std::uint32_t most_entries_;  // of a receive

    Mutex control_;                                    // held across ibv_modify_srq; before attached_mutex_
    std::uint32_t made_depth_ GUARDED_BY(control_);    // the device's
    bool has_no_events_ GUARDED_BY(control_) = false;  // the device refuses them; logged once

    // The completion queues of its queue pairs' receives, each once.
    struct Destination {
        Ref<VerbsCompletionQueue> queue;
        std::uint32_t queue_pairs;
    };
    Mutex attached_mutex_;  // before the locks of completion queues
    std::vector<Destination> destinations_ GUARDED_BY(attached_mutex_);
    std::uint32_t room_ GUARDED_BY(attached_mutex_);  // the room for receives in each destination

    // This lock is taken after the lock of a completion queue, and held across the device's post, which enters the
    // kernel on soft devices.
    SpinLock lock_;
    const Ref<RequestRing>
        ring_;  // its slots are guarded by lock_ until they are posted, then by the completion queue's
    std::vector<std::uint32_t> free_ GUARDED_BY(lock_);  // slots that were used; has room for all
    std::uint32_t first_unused_ GUARDED_BY(lock_) = 0;   // slot
    std::uint32_t posted_ GUARDED_BY(lock_) =
        0;  // receives ever posted; ring_->returned() of them are the program's again
    std::uint32_t left_ GUARDED_BY(lock_) = 0;  // no result of them has arrived
    std::uint32_t depth_ GUARDED_BY(lock_);
    std::uint32_t threshold_ GUARDED_BY(lock_);
    bool armed_ GUARDED_BY(lock_) = false;
    bool event_due_ GUARDED_BY(lock_) = false;
    bool failed_ GUARDED_BY(lock_) = false;

    Mutex sink_mutex_;  // held while the sink runs, so that close() returns after it
    SharedReceiveQueueSink* sink_ GUARDED_BY(sink_mutex_);
};

}  // namespace opennd::verbs

// SPDX-License-Identifier: MIT
// The software RNIC's shared receive queue. A message that begins takes the oldest receive out of it and keeps that in its
// queue pair's responder until it is complete; a message that finds the queue empty waits, and the next post runs the engine
// of its queue pair. Read receive_queue.h and responder.h first.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "base/lock.h"
#include "model/limits.h"
#include "transport/shared_receive_queue.h"
#include "transport/soft/engine/result_ring.h"
#include "transport/soft/queues/receive_queue.h"

namespace opennd::soft {

class ServedQueuePair;

class SoftSharedReceiveQueue final : public TransportSharedReceiveQueue, public Deferrable {
public:
    SoftSharedReceiveQueue(const SharedReceiveQueueLimits& limits, SharedReceiveQueueSink& sink);

    Status post(void* context, std::span<const Sge> sges) override;
    void arm() override;
    Status modify(std::uint32_t depth, std::uint32_t threshold) override;
    std::uint32_t count_posted() override;
    void close() override;

    // Lists a queue pair that takes its receives from here, from construction to close. Throws std::bad_alloc.
    void attach(ServedQueuePair& queue_pair);
    void detach(ServedQueuePair& queue_pair);

    // Moves the oldest receive to `held`, for a message that begins at `queue_pair`. Returns false if there is none;
    // the next post then calls ServedQueuePair::run. Called under the queue pair's lock.
    bool take(ServedQueuePair& queue_pair, ReceiveQueue& held, Progress& progress);
    // Forgets the wait at the queue pair: no message waits there any more. Called under its lock.
    void forget(ServedQueuePair& queue_pair);

    // Calls the sink if an event is due. No lock held.
    void run_deferred() override;

    // Counts the slots of retrieved results, in any order. See Credit.
    std::atomic<std::uint32_t>& freed() { return queue_.freed(); }

private:
    Ref<ServedQueuePair> next_starving() REQUIRES(lock_);

    // This mutex keeps depth and room of the completion queues together. Taken before everything else of the transport.
    Mutex attached_mutex_;
    std::vector<ServedQueuePair*> attached_ GUARDED_BY(attached_mutex_);
    std::uint32_t depth_ GUARDED_BY(attached_mutex_);

    SpinLock lock_;  // taken after a queue pair's lock; nothing is called under it
    // Guarded by lock_, but for the atomic it gives out.
    ReceiveQueue queue_;
    std::uint32_t threshold_ GUARDED_BY(lock_);
    bool armed_ GUARDED_BY(lock_) = false;
    bool event_due_ GUARDED_BY(lock_) = false;
    // Queue pairs at which a message waits for a receive, the longest wait first; each once. Has room for all that are
    // attached. take() enters a queue pair under the same lock under which it found the queue empty, and a post takes it out,
    // so that no wake-up is lost: a post runs the engine of a queue pair that it finds here.
    std::vector<ServedQueuePair*> starving_ GUARDED_BY(lock_);

    Mutex sink_mutex_;  // held while the sink runs, so that close() returns after it
    SharedReceiveQueueSink* sink_ GUARDED_BY(sink_mutex_);
};

}  // namespace opennd::soft

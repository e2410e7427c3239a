// SPDX-License-Identifier: MIT
// A completion queue as the queue pairs see it whose results it takes: their list, and the ring.
#pragma once

#include <cstdint>

#include "transport/completion_queue.h"
#include "transport/soft/engine/result_ring.h"

namespace opennd::soft {

class PolledQueuePair;

class QueuePairList : public TransportCompletionQueue, public Deferrable {
public:
    virtual ResultRing& results() = 0;
    // Lets polls look at the queue pair from here on, and makes room for `depth` results of it. Throws std::bad_alloc.
    virtual void attach(PolledQueuePair& queue_pair, std::uint32_t depth) = 0;
    // The queue pair has a channel now.
    virtual void connected(PolledQueuePair& queue_pair) = 0;
    // A loop has served the queue pair, whose receives complete here. No lock held.
    virtual void note_served() = 0;
    // Detaches a queue pair that closes: waits for a poller inside it, and gives its room back. Once for each attach().
    virtual void detach(PolledQueuePair& queue_pair, std::uint32_t depth) = 0;
};

}  // namespace opennd::soft

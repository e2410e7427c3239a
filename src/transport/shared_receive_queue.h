// SPDX-License-Identifier: MIT
// Seam: posted receives that several queue pairs take from.
#pragma once

#include <cstdint>
#include <span>

#include "base/ref.h"
#include "base/status.h"
#include "model/sge.h"

namespace opennd {

// Implemented by core. Called by the thread that made the progress, with no transport lock held.
class SharedReceiveQueueSink {
public:
    // Fewer receives were left than the threshold, when the queue was armed or afterwards. It is disarmed by then.
    virtual void on_low() = 0;
    // The queue is dead for good (ND2-SRQ-NTF-02). Called once.
    virtual void on_failed() = 0;

protected:
    ~SharedReceiveQueueSink() = default;
};

class TransportSharedReceiveQueue : public RefCounted {
public:
    // Takes one receive; the caller has checked counts and lengths. A message that waits for a receive, on any queue
    // pair, gets it (ND2-SRQ-RECV-02). Any thread.
    // queue_full: as many were posted as the depth, and the results of none of them retrieved (ND2-SRQ-RECV-04).
    virtual Status post(void* context, std::span<const Sge> sges) = 0;

    // Arms for one event. Level semantics (ND2-SRQ-NTF-01, -03): if fewer receives than the threshold are left already, the
    // event is delivered before arm returns. With threshold 0 there is none.
    virtual void arm() = 0;

    // Sets the depth, and the threshold for events to come; the caller arms again. After a failure nothing has changed:
    //   overrun                 more slots than `depth` are in use
    //   insufficient_resources  explained: a device cannot enlarge its queue
    //   no_memory               by exception
    virtual Status modify(std::uint32_t depth, std::uint32_t threshold) = 0;

    // The number of posted receives that no message has taken. Any thread.
    virtual std::uint32_t count_posted() = 0;

    // The core object is closed: no further call to the sink after this returns. Queue pairs go on taking receives; the
    // rest vanishes with the last queue pair (ND2-SRQ-FLUSH-01).
    virtual void close() = 0;

    // Sets the number of the queue among the shared receive queues of the process, for texts. Once, before its first
    // use.
    virtual void set_number(std::uint32_t) {}
};

}  // namespace opennd

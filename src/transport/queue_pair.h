// SPDX-License-Identifier: MIT
// Seam: one end of a connection as a transport sees it. Next: soft/queue_pair/queue_pair.h (software),
// verbs/queue/hardware_queue_pair.h (hardware).
#pragma once

#include <vector>

#include "base/ref.h"
#include "base/status.h"
#include "model/limits.h"
#include "model/queue_pair_state.h"
#include "model/queue_use.h"
#include "model/work_request.h"
#include "transport/shared_receive_queue.h"

namespace opennd {

class TransportCompletionQueue;

struct QueuePairParameters {
    QueuePairLimits limits;
    Ref<TransportCompletionQueue> receive_completion_queue;
    Ref<TransportCompletionQueue> initiator_completion_queue;
    void* context = nullptr;  // comes back in every completion
    // The queue of its receives; null: it has one of its own. With a shared queue, receive_depth is 0 and receive_sges
    // the queue's.
    Ref<TransportSharedReceiveQueue> shared_receive_queue = nullptr;
    // A message of the peer waits for a receive without limit (NDK-QP-SEND-04); otherwise for a while (ND2-QP-SEND-05).
    bool waits_for_receives = false;
};

// A receive that was posted and taken back.
struct PostedReceive {
    void* context;
    std::vector<Sge> sges;
};

class TransportQueuePair : public RefCounted {
public:
    // Takes one request; the caller has checked counts, lengths and flags against the limits. Starts it at once where
    // it can. Any thread; requests of concurrent callers land in some order.
    // success: accepted, a completion follows (unless silent). Otherwise nothing was taken and nothing follows:
    // queue_full: depth used up (ND2-QP-POST-06). not_connected: an initiator request while idle (ND2-QP-POST-07).
    // malformed_request: a receive, but it has a shared receive queue (ND2-QP-RECV-01).
    virtual Status post(const WorkRequest& request) = 0;

    // Completes every outstanding request with `canceled`; all of them are in the completion queues on return, and no
    // buffer of the queue pair is written any more (ND2-QP-FLUSH-01, -05).
    virtual void flush() = 0;

    // The connection has ended, or will never be: moves up arrivals, then completes all outstanding requests with
    // `canceled`, but the oldest initiator request with `oldest` unless the peer told its outcome. To error.
    virtual void end(Status oldest) = 0;

    // Does as end() a moment later, unless end() comes before: the program has been told of the end and may act on it
    // first.
    virtual void end_soon(Status oldest) = 0;

    // Ends as if a request had failed: to error, and the connection's end is told to both sides. No lock held.
    virtual void fail() {}

    // Takes all receives back, oldest first: no result of them comes any more. An attempt to connect that is under way ends first. Returns
    // nothing if the queue pair is not idle. If it throws std::bad_alloc, nothing has changed.
    virtual std::vector<PostedReceive> take_receives() { return {}; }

    // Returns true if a message of the peer has arrived.
    virtual bool heard() const = 0;

    // The core object is closed: ends the connection if there is one (the connector's sink gets Status::disconnected),
    // flushes, and detaches from the completion queues when they are drained (ND2-QP-REL-01).
    virtual void close() = 0;

    virtual QueuePairState state() const = 0;

    // Puts a connection that is up into the capture that runs, which has connections that begin later by itself.
    // Returns false if there is no connection, or no way to capture it. Any thread, no lock held.
    virtual bool capture() { return false; }

    // Returns a snapshot for people who look into the process. Any thread, no lock held.
    virtual QueuePairUse use() = 0;

    // Sets the number of the queue pair among those of the process, for texts. Once, before its first use.
    virtual void set_number(std::uint32_t) {}
};

}  // namespace opennd

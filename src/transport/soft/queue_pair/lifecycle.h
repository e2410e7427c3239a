// SPDX-License-Identifier: MIT
// The life of a queue pair, from its connection to its end: the state, the failure that is told once, the flush of what is outstanding,
// and the waits that come before it, for copies under way and for a peer in the middle of a message.
#pragma once

#include <atomic>
#include <utility>

#include "base/ref.h"
#include "model/queue_pair_state.h"
#include "platform/thread/biased_lock.h"
#include "transport/soft/channel/channel.h"
#include "transport/soft/engine/initiator.h"
#include "transport/soft/engine/responder.h"
#include "transport/soft/queue_pair/connection_end.h"
#include "transport/soft/queue_pair/peer_wait.h"

namespace opennd::soft {

// Not thread-safe: the queue pair's lock guards it. The functions that take the lock release it meanwhile; never on the service
// thread, since the peer may take seconds.
class Lifecycle {
public:
    // `queue_pair` tells the connection that take_failed() returns.
    Lifecycle(const Deferral& queue_pair, std::atomic<QueuePairState>& state, const Ref<Channel>& channel,
              Initiator& initiator, Responder& responder, PeerWait& peer_wait)
        : queue_pair_(queue_pair),
          state_(state),
          channel_(channel),
          initiator_(initiator),
          responder_(responder),
          peer_wait_(peer_wait) {}

    // Begins the life with a connection, once the queue pair has its channel.
    void attach(Ref<ConnectionEnd> connection);
    // The connection; null before attach(), and once it knows of its end.
    const Ref<ConnectionEnd>& connection() const { return connection_; }

    // Moves the queue pair to error, and settles it: flushes once no thread is in a long copy and the peer in no message of
    // this side, and reports the failure once.
    void settle(Progress& progress);
    // Does so for a request that the peer did not take in time after it has left.
    void time_out(Progress& progress);
    // Returns true if settle() found the peer in the middle of a message; a revisit repeats it.
    bool is_held_up() const { return held_up_; }
    // Returns the connection that has failed and is to be told, once; null: none.
    Ref<ConnectionEnd> take_failed() { return std::exchange(failed_, nullptr); }
    // Runs a queue pair in error: declines an arrival, flushes requests that were posted since.
    void run_in_error(BiasedLock& lock, Progress& progress) REQUIRES(lock);

    // Flushes for the program. Waits for copies, and for a peer in the middle of a message. The connection goes on.
    void flush(BiasedLock& lock, Progress& progress) REQUIRES(lock);
    // Waits as flush() does, then flushes the oldest request with `oldest` and closes the channel.
    void end(BiasedLock& lock, Status oldest, Progress& progress) REQUIRES(lock);
    // Does the first part of end() without a wait. Returns false if the caller is to call again.
    [[nodiscard]] bool try_end(BiasedLock& lock, Status oldest, Progress& progress) REQUIRES(lock);
    // Moves up arrivals, because the peer ended the connection; outstanding requests stay outstanding.
    void take_last_arrivals(BiasedLock& lock, Progress& progress) REQUIRES(lock);

    // Returns true if no thread is in a copy. A copy that the peer holds up for too long is abandoned, and does not count.
    [[nodiscard]] bool is_at_rest();
    void wait_until_at_rest(BiasedLock& lock) REQUIRES(lock);
    // Waits for the copies that this side carries out for the peer.
    void wait_for_responder(BiasedLock& lock) REQUIRES(lock);
    // Takes back what the peer has not begun to take. Returns false if it is in the middle of a message of this side.
    [[nodiscard]] bool stop_requests() { return !channel_ || channel_->access().stop_requests(); }

private:
    void advance(QueuePairEvent event);
    void forget_connection();
    void stop(BiasedLock& lock, Status oldest, Progress& progress) REQUIRES(lock);
    void run_arrivals(BiasedLock& lock, Progress& progress) REQUIRES(lock);
    void decline_arrival(BiasedLock& lock, Progress& progress) REQUIRES(lock);
    void flush_queues(Progress& progress);
    static void let_others_in(BiasedLock& lock) REQUIRES(lock);

    // The parts of the queue pair. The channel is null before attach().
    const Deferral queue_pair_;
    std::atomic<QueuePairState>& state_;
    const Ref<Channel>& channel_;
    Initiator& initiator_;
    Responder& responder_;
    PeerWait& peer_wait_;

    Ref<ConnectionEnd> connection_;
    Ref<ConnectionEnd> failed_;
    bool failure_reported_ = false;  // or there is nobody to be told
    // The program has flushed, and nothing has failed: the connection goes on until the peer sends a message.
    bool flushed_ = false;
    bool held_up_ = false;
    bool flushing_ = false;             // a thread of the program is in flush(), without the lock
    Status oldest_ = Status::canceled;  // of the oldest initiator request when flushed
};

}  // namespace opennd::soft

// SPDX-License-Identifier: MIT
// The engine of one queue pair: an initiator and a responder under one lock, the state, and the work that is left for after the
// lock. It is code, not a thread: a poster, a poller or the service thread runs it (docs/architecture.md). Read initiator.h and
// responder.h next.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/ref.h"
#include "model/queue_pair_state.h"
#include "platform/thread/biased_lock.h"
#include "transport/queue_pair.h"
#include "transport/soft/channel/channel.h"
#include "transport/soft/engine/bound_windows.h"
#include "transport/soft/engine/connection_end.h"
#include "transport/soft/engine/initiator.h"
#include "transport/soft/engine/responder.h"
#include "transport/soft/engine/result_ring.h"
#include "transport/soft/engine/shared_receive_queue.h"

namespace opennd::soft {

class ChannelLayer;
struct ConnectionFacts;
class OpenAdapter;
class ServedQueuePair;

class Engine {
public:
    // All but `parameters` outlive the engine. `owner` does its deferred work and is served by the adapter's service thread.
    // `shared`: null if the responder has a receive queue of its own.
    Engine(const QueuePairParameters& parameters, ServedQueuePair& owner, OpenAdapter& adapter, std::uint32_t scope,
           ResultRing& receives, ResultRing& initiators, SoftSharedReceiveQueue* shared);

    // Taken before the lock of a completion queue and that of a shared receive queue, after their lists' locks.
    mutable BiasedLock lock;

    // The data path: these take the lock. Not inlined into the caller that tells them apart, which would save registers for all.

    // not_connected, queue_full, or success: the request will complete.
    [[gnu::noinline]] Status post_request(const WorkRequest& request) EXCLUDES(lock);
    // The same for a Read or Write, which is carried out at once if the wire can.
    [[gnu::noinline]] Status post_one_sided(const WorkRequest& request) EXCLUDES(lock);
    // Responder::post. Runs the engine if a message waits for the receive, or if the receive is to be flushed at once.
    [[gnu::noinline]] Status post_receive(const WorkRequest& request) EXCLUDES(lock);
    // For a poller: returns at once if another thread has the lock, since that thread posts or runs the engine.
    [[gnu::noinline]] void try_run(Progress& progress) EXCLUDES(lock);
    // For arrivals that were named: runs as run_once() does. True: work is left that will not be named again. The first is for a
    // poller, and true too if another thread has the lock.
    bool try_run_named(Progress& progress) EXCLUDES(lock);
    bool run_named(Progress& progress) EXCLUDES(lock);
    // Runs until one budget of arrivals has moved.
    void run_once(Progress& progress) EXCLUDES(lock);
    // The same, for callers that will not poll again: the service thread continues if arrivals remain.
    void run(Progress& progress) EXCLUDES(lock);

    // Any thread, without the lock.

    QueuePairState state() const { return state_.load(std::memory_order_acquire); }
    // A thread waits for an event of its completion queues.
    bool is_armed() const { return receives_.armed() || initiators_.armed(); }
    // Null before attach(). From then on the same, or a layer around it, which keeps it alive.
    Channel* channel() const { return channel_.load(std::memory_order_acquire); }
    // A message arrived since attach().
    bool heard() const EXCLUDES(lock);
    // Requests of this side are in flight or wait for room. Only a hint.
    bool has_outstanding() const { return initiator_.has_outstanding(); }
    // Counts runs in which a request started or completed.
    std::uint32_t progress_made() const { return progress_made_.load(std::memory_order_relaxed); }
    // See TransportQueuePair::use. Takes the lock, but waits no more than a moment for it.
    std::optional<QueuePairUse> use() EXCLUDES(lock);
    // For texts. Once, before its first use.
    void set_number(std::uint32_t number) {
        initiator_.set_number(number);
        responder_.set_number(number);
    }
    std::atomic<std::uint32_t>& freed_requests() { return initiator_.freed(); }
    std::atomic<std::uint32_t>& freed_receives() { return responder_.freed(); }

    // A connection is up, or is about to be. False: the state is not idle.
    bool attach(Ref<Channel> channel, Ref<ConnectionEnd> connection, const ReadLimits& limits) REQUIRES(lock);
    // The connection that is up gets `layer`, unless it has it. False: none is up.
    bool put_layer(ChannelLayer& layer, const ConnectionFacts& facts) REQUIRES(lock);
    // Every change of the state, where the table allows the event.
    void must_advance(QueuePairEvent event) REQUIRES(lock);
    // To state error, and the connection ends.
    void fail(Progress& progress) REQUIRES(lock);
    // The message that waited for a receive since the wait `starvation` began is refused, and the connection ends, if it waits
    // still (ND2-QP-SEND-05).
    void give_up_waiting(std::uint32_t starvation, Progress& progress) REQUIRES(lock);

    // Work for the owner, without the lock.
    struct Deferred {
        Ref<ConnectionEnd> failed_connection;   // tell it; null: none
        std::uint32_t starvation_to_watch = 0;  // the wait that gets a time limit; 0: none
        bool revisit_due = false;               // start the timer that calls end_revisit()
    };
    Deferred take_deferred() REQUIRES(lock);
    // The timer has expired. Nothing is to do, or the service thread runs this once more, and nudges a peer that has done nothing: each
    // time after twice as long.
    enum class Revisit : std::uint8_t { none, run, nudge };
    Revisit end_revisit() REQUIRES(lock);

    // The ends. Those that wait release the lock meanwhile; never on the service thread, since the peer may take seconds.

    // The program flushes: waits for copies, and for a peer in the middle of a message. The connection goes on.
    void flush(Progress& progress) REQUIRES(lock);
    // This side ends the connection: waits as flush() does, then flushes the oldest request with `oldest` and closes the channel.
    void end(Status oldest, Progress& progress) REQUIRES(lock);
    // The first part of end(), without a wait. False: not all of it is done; the caller calls again.
    [[nodiscard]] bool try_end(Status oldest, Progress& progress) REQUIRES(lock);
    // The peer ended it: moves up arrivals; outstanding requests stay outstanding.
    void end_by_peer(Progress& progress) REQUIRES(lock);
    // Flushes with `oldest` for the oldest request, and leaves the connection as it is.
    void flush_with(Status oldest, Progress& progress) REQUIRES(lock);
    // No thread is in a copy. A copy that the peer holds up for too long is abandoned, and does not count.
    bool is_at_rest() REQUIRES(lock);
    // Waits for is_at_rest(). False: a copy was abandoned meanwhile.
    [[nodiscard]] bool wait_for_copies() REQUIRES(lock);
    // Waits until the copies have ended that this side carries out for the peer.
    void wait_for_responder() REQUIRES(lock);

    const Initiator& initiator() const REQUIRES(lock) { return initiator_; }
    const Ref<Channel>& owned_channel() const REQUIRES(lock) { return channel_owner_; }
    const Ref<ConnectionEnd>& connection() const REQUIRES(lock) { return connection_; }

private:
    // always: reads the peer's counters. if_idle: not after a run that moved messages, since their frames carried the counts;
    // for a poller, which polls again.
    enum class ReadCounters : std::uint8_t { if_idle, always };
    [[gnu::always_inline]] inline Status enqueue(const WorkRequest& request, std::uint32_t length_bytes,
                                                 Progress& progress) REQUIRES(lock);
    [[gnu::always_inline]] inline void run_locked(Progress& progress, ReadCounters read) REQUIRES(lock);
    // The same with `always`, for all but pollers: they have it in their own frame.
    [[gnu::noinline]] void run_whole(Progress& progress) REQUIRES(lock);
    [[gnu::always_inline]] inline void run_attached(Channel& channel, Progress& progress, ReadCounters read)
        REQUIRES(lock);
    // A message waits for the receive that was just posted, or the receive is to be flushed.
    [[gnu::noinline]] void run_for_awaited() EXCLUDES(lock);
    bool leaves_work(Progress& progress) REQUIRES(lock);
    void run_in_error(Progress& progress) REQUIRES(lock);
    void decline_arrival(Progress& progress) REQUIRES(lock);
    void note_starved(Progress& progress) REQUIRES(lock);
    void watch_starvation(Progress& progress) REQUIRES(lock);
    [[gnu::always_inline]] inline void note_armed(Progress& progress) REQUIRES(lock);
    void watch_peers_pollers(Progress& progress) REQUIRES(lock);
    bool is_left_to_peers_pollers() const REQUIRES(lock);
    void come_back_for_peer(Progress& progress) REQUIRES(lock);
    void schedule_revisit(Progress& progress) REQUIRES(lock);
    [[gnu::always_inline]] inline bool waits_for_peer() const REQUIRES(lock);
    bool still_waits(std::uint32_t starvation) const REQUIRES(lock);
    void tap_channel() REQUIRES(lock);
    void refuse_waiting(Progress& progress) REQUIRES(lock);
    void settle(Progress& progress) REQUIRES(lock);
    void flush_queues(Progress& progress) REQUIRES(lock);
    void stop(Status oldest, Progress& progress) REQUIRES(lock);
    void run_arrivals(Progress& progress) REQUIRES(lock);
    void forget_connection() REQUIRES(lock);
    void let_others_in() REQUIRES(lock);
    void wait_until_at_rest() REQUIRES(lock);
    void wait_until_held_back() REQUIRES(lock);

    // Constant after construction.
    ServedQueuePair& owner_;
    OpenAdapter& adapter_;
    ResultRing &receives_, &initiators_;

    // Written under the lock, read anywhere.
    std::atomic<QueuePairState> state_{QueuePairState::idle};
    // Set by attach, and by put_layer; the reference lasts as long as the engine.
    std::atomic<Channel*> channel_{nullptr};
    std::atomic<std::uint32_t> taken_at_attach_{0};  // Channel::taken() then; before channel_
    Ref<Channel> channel_owner_ GUARDED_BY(lock);
    Ref<ConnectionEnd> connection_ GUARDED_BY(lock);

    // Guarded by the lock, but for the atomics they give out.
    BoundWindows windows_;
    Initiator initiator_;
    Responder responder_;
    bool failure_reported_ GUARDED_BY(lock) = false;
    // The program flushed, and nothing has failed: the connection goes on until the peer sends a message.
    bool flushed_ GUARDED_BY(lock) = false;
    // settle() found the peer in the middle of a message; a revisit repeats it.
    bool held_up_ GUARDED_BY(lock) = false;
    bool flushing_ GUARDED_BY(lock) = false;          // a thread of the program is in flush(), without the lock
    Status end_ GUARDED_BY(lock) = Status::canceled;  // of the oldest initiator request when flushed
    std::uint32_t watched_starvation_ GUARDED_BY(lock) = 0;
    Deferred deferred_ GUARDED_BY(lock);
    bool revisit_scheduled_ GUARDED_BY(lock) = false;      // a timer runs that calls end_revisit()
    std::uint32_t head_at_revisit_ GUARDED_BY(lock) = 0;   // of the initiator, when the timer was scheduled
    std::uint32_t revisits_in_vain_ GUARDED_BY(lock) = 0;  // in a row, with the head where it was

    // Written under the lock; relaxed: the one service thread compares it.
    std::atomic<std::uint32_t> progress_made_{0};
};

}  // namespace opennd::soft

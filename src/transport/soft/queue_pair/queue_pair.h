// SPDX-License-Identifier: MIT
// The software RNIC's queue pair: an initiator and a responder under one lock, and its life. It is code, not a thread: a post
// starts its request; a poll of a completion queue moves arrivals; the service thread, woken by the peer, does both when no thread polls
// (docs/progress.md). Read soft/engine/initiator.h and responder.h next, then lifecycle.h and peer_wait.h;
// soft/progress/polled_queue_pair.h has the rules by which threads look for work.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "base/ref.h"
#include "model/queue_pair_state.h"
#include "platform/thread/biased_lock.h"
#include "transport/queue_pair.h"
#include "transport/soft/channel/channel.h"
#include "transport/soft/engine/bound_windows.h"
#include "transport/soft/engine/initiator.h"
#include "transport/soft/engine/open_adapter.h"
#include "transport/soft/engine/responder.h"
#include "transport/soft/engine/result_ring.h"
#include "transport/soft/engine/served_queue_pair.h"
#include "transport/soft/engine/shared_receive_queue.h"
#include "transport/soft/queue_pair/connection_end.h"
#include "transport/soft/queue_pair/lifecycle.h"
#include "transport/soft/queue_pair/peer_wait.h"

namespace opennd::soft {

// Each object is a PolledQueuePair, which adds the rules by which threads look for work. The parts beneath see it as a
// ServedQueuePair.
class SoftQueuePair : public ServedQueuePair {
public:
    Status post(const WorkRequest& request) final;
    void flush() final;
    void end(Status oldest) final;
    void end_soon(Status oldest) final;
    std::vector<PostedReceive> take_receives() final EXCLUDES(lock_);
    bool heard() const final;
    QueuePairState state() const final { return state_.load(std::memory_order_acquire); }
    QueuePairUse use() final;
    bool capture() final;
    void set_number(std::uint32_t number) final {
        initiator_.set_number(number);
        responder_.set_number(number);
    }

    // Attaches the channel of a connection that is up, or is about to be. Returns false if the queue pair is not idle
    // any more.
    virtual bool attach(Ref<Channel> channel, Ref<ConnectionEnd> connection, const ReadLimits& limits) EXCLUDES(lock_);
    // Returns the channel; null before attach(). From then on it is the same, or a layer around it, which keeps it
    // alive. Any thread.
    Channel* channel() const { return channel_.load(std::memory_order_acquire); }

    void run() final;
    // Runs with one budget of arrivals, for a caller with a list of results.
    void run(Progress& progress) EXCLUDES(lock_);
    // Returns true if no request of this side is in flight or waits.
    bool is_idle() EXCLUDES(lock_);
    // Returns true if one is in flight or waits, as a hint. Any thread.
    bool has_outstanding() const { return initiator_.has_outstanding(); }
    // A count that changes when a message was taken, or a request started or completed. Any thread.
    std::uint32_t moves() const {
        const Channel* const channel = this->channel();
        return progress_made_.load(std::memory_order_relaxed) + (channel ? channel->taken() : 0);
    }

    // Does the first part of end(), for a thread that must not wait for a peer. Returns true if end() does not wait any
    // more. Returns false if the peer is in the middle of a message of this side, or holds up a copy of this side; the
    // caller calls again.
    [[nodiscard]] bool try_end(Status oldest) EXCLUDES(lock_);
    // Brings copies of this side to rest, for the same threads, once the channel begins no more of them, before a call
    // that waits for them. Returns true if no copy is under way, or the one that is was abandoned. Returns false if the
    // caller is to call again.
    [[nodiscard]] bool quiesce() EXCLUDES(lock_);
    // Stops the requests (PeerAccess), for a thread that must not wait for the peer, after take_last_arrivals(), with a channel
    // that starts nothing any more. Returns true if end() does not wait any more. Returns false if the peer is in the middle
    // of a message of this side; the caller calls again.
    [[nodiscard]] bool stop_requests() EXCLUDES(lock_);
    // Moves up arrivals, because the peer ended the connection; outstanding requests stay outstanding. The caller tells
    // core next, which may end the queue pair.
    void take_last_arrivals() EXCLUDES(lock_);
    // Gives outstanding requests the retry time, if core has not ended the queue pair (ND1-EP-GEN-21).
    void start_retry_time() EXCLUDES(lock_);

    using ServedQueuePair::fail;
    void fail(Progress& progress) final EXCLUDES(lock_);

    // Does the work that a run left for after the lock: reports a failure, starts the timers of a starving message and of a revisit.
    void run_deferred() final;
    [[nodiscard]] bool end_accesses(Token remote, const AccessEnd& end) final;
    void wait_for_responder() final;
    ResultRing& receive_results() const final { return receives_; }
    // Trusts pollers less: one stopped silently, and an arrival had to wait for that.
    virtual void trust_pollers_less() = 0;

    // The adapter of its memory. Its connection may be an object of another open of the same address (NDK-QP-CREATE-03).
    const Ref<OpenAdapter>& adapter() const { return adapter_; }
    // Names this queue pair in the token table, for memory windows (ND2-MW-03).
    std::uint32_t scope() const { return scope_; }

protected:
    // The rings outlive it. `shared`: null if the responder has a receive queue of its own.
    SoftQueuePair(Ref<OpenAdapter> adapter, const QueuePairParameters& parameters, ResultRing& receives,
                  ResultRing& initiators, Ref<SoftSharedReceiveQueue> shared);

    // Runs for a poller: returns at once if another thread has the lock, since that thread posts or runs.
    [[gnu::noinline]] void try_run(Progress& progress) EXCLUDES(lock_);
    // Runs until one budget of arrivals has moved, and waits for the lock. Returns true if work is left that nothing
    // will name again.
    [[nodiscard]] bool run_once(Progress& progress) EXCLUDES(lock_);
    // Runs until nothing moves, kRounds times at most. Returns true if work is left that could move now.
    static constexpr int kRounds = 8;
    [[nodiscard]] bool run_rounds() EXCLUDES(lock_);
    // Does as run_once() for a poller, which does not wait: returns true also if another thread has the lock.
    [[nodiscard]] bool try_run_once(Progress& progress) EXCLUDES(lock_);

    // Returns true if a thread waits for an event of its completion queues.
    bool is_armed() const { return receives_.armed() || initiators_.armed(); }

    // Lists the queue pair with the adapter and the shared queue, until retire(). If it throws std::bad_alloc, neither
    // knows it.
    void enlist();
    // Tells the connection that the program is done with the queue pair, and ends it. retire() follows, once no completion queue looks
    // at it: results that are in their rings still set no slot free.
    void end_by_program() EXCLUDES(lock_);
    void retire() EXCLUDES(lock_);

private:
    // always: reads the peer's counters. if_idle: not after a run that moved messages, since their frames carried the counts;
    // for a poller, which polls again.
    enum class ReadCounters : std::uint8_t { if_idle, always };

    bool end_copies() EXCLUDES(lock_);
    // Fills in what the lock guards. Returns false if another thread is inside.
    bool visit(QueuePairUse& use) EXCLUDES(lock_);
    bool is(QueuePairState state) const { return state_.load(std::memory_order_relaxed) == state; }

    // The four are not inlined into the caller that tells them apart, which would save registers for all.
    [[gnu::noinline]] Status post_request(const WorkRequest& request) EXCLUDES(lock_);
    [[gnu::noinline]] Status post_one_sided(const WorkRequest& request) EXCLUDES(lock_);
    [[gnu::noinline]] Status post_with_immediate(const WorkRequest& request) EXCLUDES(lock_);
    [[gnu::noinline]] Status post_receive(const WorkRequest& request) EXCLUDES(lock_);

    [[gnu::always_inline]] inline void run_locked(Progress& progress, ReadCounters read) REQUIRES(lock_);
    // Calls run_locked() with `always`, for all but pollers, which have it in their own frame.
    [[gnu::noinline]] void run_whole(Progress& progress) REQUIRES(lock_);
    [[gnu::always_inline]] inline void run_attached(Channel& channel, Progress& progress, ReadCounters read)
        REQUIRES(lock_);
    bool leaves_work() const REQUIRES(lock_);

    void put_channel(Ref<Channel> channel) REQUIRES(lock_);

    // Timers call these.
    void revisit() EXCLUDES(lock_);
    void give_up_waiting(std::uint32_t starvation) EXCLUDES(lock_);
    void check_oldest(std::uint32_t oldest, int times) EXCLUDES(lock_);

    // Constant after construction.
    const Ref<OpenAdapter> adapter_;
    const std::uint32_t scope_;
    ResultRing &receives_, &initiators_;
    const Ref<SoftSharedReceiveQueue> shared_;

    // This lock is taken before the lock of a completion queue and that of a shared receive queue, after their lists'
    // locks.
    mutable BiasedLock lock_;

    // Written under the lock, read anywhere.
    std::atomic<QueuePairState> state_{QueuePairState::idle};
    // The channel, set by attach and by capture; the reference lasts as long as the queue pair.
    std::atomic<Channel*> channel_{nullptr};
    std::atomic<std::uint32_t> taken_at_attach_{0};  // Channel::taken() then; before channel_
    Ref<Channel> channel_owner_ GUARDED_BY(lock_);

    // Guarded by the lock, but for the atomics they give out.
    BoundWindows windows_;
    Initiator initiator_;
    Responder responder_;
    PeerWait peer_wait_ GUARDED_BY(lock_);
    Lifecycle life_ GUARDED_BY(lock_);

    // The count of moves of requests. Written under the lock; relaxed: threads compare it.
    std::atomic<std::uint32_t> progress_made_{0};
};

}  // namespace opennd::soft

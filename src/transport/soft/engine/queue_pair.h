// SPDX-License-Identifier: MIT
// The software RNIC's queue pair: an initiator and a responder under one lock, and the rules by which threads run them.
//
// There is no engine thread. A post starts its request; a poll of a completion queue moves arrivals; the service thread,
// woken by the peer, does both when no thread polls (docs/architecture.md).
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>

#include "base/ref.h"
#include "model/queue_pair_state.h"
#include "platform/thread/biased_lock.h"
#include "transport/queue_pair.h"
#include "transport/soft/channel/channel.h"
#include "transport/soft/engine/completion_queue.h"
#include "transport/soft/engine/initiator.h"
#include "transport/soft/engine/responder.h"
#include "transport/soft/engine/shared_receive_queue.h"

namespace opennd::soft {

class AccessEnd;
class OpenAdapter;

// The connection behind a channel, as its queue pair sees it. Called with no queue pair lock held.
class ConnectionEnd : public RefCounted {
public:
    // A request failed, here or at the peer: end the connection and tell the program.
    virtual void queue_pair_failed() = 0;
    // The program released the queue pair: end the connection, and tell the connector's program (ND2-QP-REL-02).
    virtual void queue_pair_closed() = 0;
};

class SoftQueuePair final : public TransportQueuePair {
public:
    SoftQueuePair(Ref<OpenAdapter> adapter, const QueuePairParameters& parameters, Ref<SoftCompletionQueue> receives,
                  Ref<SoftCompletionQueue> initiators, Ref<SoftSharedReceiveQueue> shared);

    Status post(const WorkRequest& request) override;
    void flush() override;
    void close() override;
    void end(Status oldest) override;
    void end_soon(Status oldest) override;
    // The first part of end(), for a thread that must not wait for a peer. True: end() does not wait any more. False: the peer
    // is in the middle of a message of this side, or holds up a copy of this side; the caller calls again.
    [[nodiscard]] bool try_end(Status oldest);
    // For the same threads, once the channel begins no more copies, before a call that waits for the copies of this side. True:
    // no copy is under way, or the one that is was abandoned. False: the caller calls again.
    [[nodiscard]] bool come_to_rest();
    bool heard() const override;
    QueuePairState state() const override { return state_.load(std::memory_order_acquire); }

    // A connection is up, or is about to be. False: the queue pair is not idle any more.
    bool attach(Ref<Channel> channel, Ref<ConnectionEnd> connection, const ReadLimits& limits);
    // This side ended the connection: end(canceled).
    void end_by_this_side() { end(Status::canceled); }
    // The peer ended it: moves up arrivals; outstanding requests stay outstanding. The caller tells core next, which may end
    // the queue pair.
    void end_by_peer();
    // If core has not ended it: outstanding requests have the retry time (ND1-EP-GEN-21).
    void start_retry_time();

    // To state error, and the connection ends: a completion queue overran (ND2-CQ-OVR-01), or the peer did not leave an access
    // in time.
    void fail(Progress& progress);
    // The same for a caller that holds no lock.
    void fail();

    // For the completion queues: runs the engine if a message has arrived, and now and then while requests are outstanding.
    // Any thread.
    void poll(Progress& progress);
    // The same. True: a message was taken, or requests of this side are outstanding.
    bool poll_for_traffic(Progress& progress);
    // A glance: an arrival shows in memory. Attention stays as it is.
    bool shows_arrival() const {
        const Channel* const channel = channel_.load(std::memory_order_acquire);
        return channel != nullptr && channel->shows_arrival();
    }
    // Runs the engine without a check for work; waits for the lock. For callers that will not poll again: the service thread
    // continues if arrivals remain after one budget.
    void run(Progress& progress);
    // A poller stopped silently, and an arrival had to wait for that: doubles polls_until_polling_.
    void trust_pollers_less();
    // Sets attention to asleep: the peer must ring. True: it was polling, so that a heavy_barrier() is due.
    bool ask_to_be_woken();
    // A receive was posted to the shared queue while a message waited here: runs the engine. No lock held.
    void run_for_receive();
    // Where receives complete.
    SoftCompletionQueue& receives() const { return *receives_; }
    // Runs the engine; true if no initiator request is outstanding then.
    bool finish_requests();
    // For the service thread: runs the engine, sets attention to asleep and checks for news, until nothing moves or
    // kRoundsOfService is reached. True: work remains.
    bool serve();

    // Does the work that run_locked() left for after the lock: reports a failure, starts the timers of a starving message and of a
    // revisit.
    void do_deferred();

    // The peer rang, the channel has news, or want_service() was called since serve().
    bool wants_service() const;
    void want_service() { service_due_.store(true, std::memory_order_relaxed); }

    // The adapter of its memory. Its connection may be an object of another open of the same address (NDK-QP-CREATE-03).
    const Ref<OpenAdapter>& adapter() const { return adapter_; }

    // Names this queue pair in the token table, for memory windows (ND2-MW-03).
    std::uint32_t scope() const { return scope_; }

    // After the tokens of a registration were removed from the token table: returns when neither a thread here nor the peer
    // uses its memory. False: the peer did not leave in time; the caller calls fail() once it holds no lock.
    [[nodiscard]] bool end_accesses(Token remote, const AccessEnd& end);
    // Returns when the accesses that this side carries out for the peer have ended. For the initiator, while it is busy.
    void wait_for_responder();

private:
    Status post_initiator(const WorkRequest& request);
    [[gnu::always_inline]] inline Status enqueue(const WorkRequest& request, std::uint32_t length_bytes,
                                                 Progress& progress) REQUIRES(lock_);
    Status post_receive(const WorkRequest& request);
    // always: reads the peer's counters. if_idle: not after a run that moved messages, since their frames carried the counts;
    // for a poller, which polls again.
    enum class ReadCounters : std::uint8_t { if_idle, always };
    void lock_and_run(Progress& progress);
    [[gnu::noinline]] void try_run(Progress& progress);
    [[gnu::always_inline]] inline void run_locked(Progress& progress, ReadCounters read) REQUIRES(lock_);
    // Every change of the state, where the table allows the event.
    void must_advance(QueuePairEvent event) REQUIRES(lock_);
    void settle(Progress& progress) REQUIRES(lock_);
    void stop(Status oldest, Progress& progress) REQUIRES(lock_);
    void flush_queues(Progress& progress) REQUIRES(lock_);
    // No thread is in a copy. A copy that the peer holds up for too long is abandoned, and does not count.
    bool is_at_rest() REQUIRES(lock_);
    // Not on the service thread: a copy that the peer holds up takes seconds.
    void wait_until_at_rest() REQUIRES(lock_);
    void report_abandoned() const;
    // Only in a thread of the program, and in state error: the peer may take seconds.
    void wait_until_held_back() REQUIRES(lock_);
    void schedule_revisit(Progress& progress) REQUIRES(lock_);
    void give_up_waiting(std::uint32_t starvation);
    void refuse_waiting(Progress& progress) REQUIRES(lock_);
    [[gnu::always_inline]] inline void note_wait_for_peer(Progress& progress) REQUIRES(lock_);
    void revisit();
    void run_arrivals(Progress& progress) REQUIRES(lock_);
    void retry_later(std::uint32_t oldest, int times);
    void retry(std::uint32_t oldest, int times);
    [[gnu::noinline]] void count_poll(Channel& channel);
    bool is_armed() const;
    [[gnu::noinline]] bool is_run_due(Channel& channel, std::uint32_t idle);

    // Constant after construction.
    const Ref<OpenAdapter> adapter_;
    const QueuePairLimits limits_;
    const std::uint32_t scope_;
    const Ref<SoftCompletionQueue> receives_, initiators_;
    const Ref<SoftSharedReceiveQueue> shared_;  // null: the responder has a receive queue of its own

    // Taken before the lock of a completion queue and that of a shared receive queue, after their lists' locks.
    BiasedLock lock_;

    // Written under lock_, read anywhere.
    std::atomic<QueuePairState> state_{QueuePairState::idle};
    // Set once, by attach; the reference lasts as long as the queue pair.
    std::atomic<Channel*> channel_{nullptr};
    std::atomic<std::uint32_t> taken_at_attach_{0};  // Channel::taken() then; before channel_
    Ref<Channel> channel_owner_ GUARDED_BY(lock_);
    Ref<ConnectionEnd> connection_ GUARDED_BY(lock_);

    // Guarded by lock_, but for the atomics they give out.
    BoundWindows windows_;
    Initiator initiator_;
    Responder responder_;
    bool failure_reported_ GUARDED_BY(lock_) = false;
    // The program flushed, and nothing has failed: the connection goes on until the peer sends a message.
    bool flushed_ GUARDED_BY(lock_) = false;
    bool held_up_ GUARDED_BY(lock_) =
        false;  // settle() found the peer in the middle of a message; revisit() repeats it
    bool flushing_ GUARDED_BY(lock_) = false;          // a thread of the program is in flush(), without the lock
    Status end_ GUARDED_BY(lock_) = Status::canceled;  // of the oldest initiator request when flushed
    std::uint32_t watched_starvation_ GUARDED_BY(lock_) = 0;
    // Work for do_deferred(), without lock_.
    Ref<ConnectionEnd> failed_connection_ GUARDED_BY(lock_);
    std::uint32_t starvation_to_watch_ GUARDED_BY(lock_) = 0;
    bool revisit_due_ GUARDED_BY(lock_) = false;
    bool revisit_scheduled_ GUARDED_BY(lock_) = false;  // a timer runs that calls revisit()

    // Counts runs in which a request started or completed. Written under lock_; relaxed: the one service thread compares it.
    std::atomic<std::uint32_t> progress_made_{0};

    // Work here is left to the service thread. Relaxed: its doorbell is rung after, and it runs the engine under lock_.
    std::atomic<bool> service_due_{false};

    // Only hints for the pacing of polls: relaxed, and a lost count does no harm.
    std::atomic<std::uint32_t> polls_since_armed_{0};
    // Polls until attention becomes polling, by which the peer neither rings nor orders its stores. Doubled, up to the second,
    // each time that pollers stopped silently.
    static constexpr std::uint32_t kPollsUntilPolling = 64, kMostPollsUntilPolling = 64 << 9;
    std::atomic<std::uint32_t> polls_until_polling_{kPollsUntilPolling};
    std::atomic<std::uint32_t> idle_polls_{0};
    std::atomic<std::uint32_t> polls_between_reads_{1};  // at the peer's counters
    std::atomic<std::uint32_t> read_at_poll_{1};         // the next read, counted as idle_polls_
    std::atomic<std::int64_t> counters_read_at_{0};      // nanoseconds of the steady clock
    // A peer that answers nothing for kPollsUntilNudge polls (tens of microseconds) may have stopped polling: it is nudged,
    // the next time after twice as many.
    static constexpr std::uint32_t kPollsUntilNudge = 8192;
    std::atomic<std::uint32_t> nudge_at_{kPollsUntilNudge};
    std::atomic<std::int64_t> idle_since_{0};  // nanoseconds of the steady clock
};

}  // namespace opennd::soft

// SPDX-License-Identifier: MIT
// The software RNIC's completion queue: a ring of outcomes and the list of queue pairs that feed it. A caller that polls
// makes the progress itself and, where it can, gets its completions straight from the queue pair without the ring.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "platform/process/clock.h"
#include "platform/thread/biased_lock.h"
#include "transport/soft/engine/services.h"
#include "transport/soft/progress/crowd.h"
#include "transport/soft/progress/queue_pair_list.h"

namespace opennd::soft {

class SoftCompletionQueue final : public QueuePairList {
public:
    // `judge` outlives it; null: the rule alone decides about room.
    SoftCompletionQueue(std::uint32_t depth, OverrunRule rule, NotifyRule notify_rule, CompletionQueueSink& sink,
                        RoomJudge* judge = nullptr);

    std::size_t poll(std::span<Completion> completions) override;
    void arm(NotifyKind kind) override;
    void disarm() override;
    WaitingCompletions count_waiting() override;
    Status resize(std::uint32_t depth) override;
    std::optional<std::size_t> loop() const override;
    void close() override;

    // Calls the sink if an event, or the end of the queue, is due. No lock held.
    void run_deferred() override;

    ResultRing& results() override { return ring_; }
    void attach(PolledQueuePair& queue_pair, std::uint32_t depth) override;
    void connected(PolledQueuePair& queue_pair) override;
    void note_served() override;
    void detach(PolledQueuePair& queue_pair, std::uint32_t depth) override;

    // Serves the queue pairs that the crowd names. For SoftCrowd, on the service thread.
    void serve_crowd(SoftCrowd::Poller poller);

private:
    std::size_t take(std::span<Completion> completions);
    [[gnu::always_inline]] inline void poll_attached(Progress& progress) REQUIRES(list_lock_);
    bool has(const PolledQueuePair& queue_pair) const REQUIRES(list_lock_);
    void enlist(PolledQueuePair& queue_pair) REQUIRES(list_lock_);
    void begin_crowd() REQUIRES(list_lock_);
    // The number of queue pairs that a look costs a system call each.
    std::size_t count_asked() const REQUIRES(list_lock_);
    bool ask_to_be_woken() REQUIRES(list_lock_);
    void place(PolledQueuePair& queue_pair) REQUIRES(list_lock_);
    void follow_thread() REQUIRES(list_lock_);
    void move_to(Service& to) REQUIRES(list_lock_);
    template <typename Function>
    void for_each(Function function) const REQUIRES(list_lock_);
    void run_attached(Progress& progress) REQUIRES(list_lock_);
    void end_after_overrun();

    ResultRing ring_;

    // This lock guards the list, and keeps a queue pair alive while a poller is inside it. A poller only tries to take
    // it: its holder makes the progress. Taken before any queue pair's lock.
    BiasedLock list_lock_;
    std::vector<PolledQueuePair*> attached_ GUARDED_BY(list_lock_);  // while they are few
    Ref<SoftCrowd> crowd_ GUARDED_BY(list_lock_);                    // has them while they are many, else null
    // The service whose loop takes the arrivals of the queue pairs over sockets whose receives complete here; null: there was none.
    // Written under the lock; relaxed: a look without it reads the number of the loop alone, which never changes.
    std::atomic<Service*> service_{nullptr};
    Services* services_ GUARDED_BY(list_lock_) = nullptr;  // set with it
    bool is_placed_ GUARDED_BY(list_lock_) = false;        // service_ was chosen, by the load of a loop or for a thread
    // The newest arms in a row by threads that help another loop; and how many make the queue follow them, which each move doubles.
    std::uint32_t strange_arms_ GUARDED_BY(list_lock_) = 0, patience_ GUARDED_BY(list_lock_) = 1;
    // Queue pairs that a loop has served since a moment. Relaxed: a count that is lost delays a choice.
    std::atomic<std::uint32_t> served_{0};
    std::atomic<SteadyTime> served_since_{};

    // True while crowd_ is set; read without the lock. Relaxed, with a full barrier behind the store and one between
    // the store of a queue pair's channel and the load here: if a queue pair connects while the crowd begins, one of
    // the two sees the other (tests/protocols/connecting.pml).
    std::atomic<bool> crowded_{false};
    // The number of queue pairs, written under the lock. Relaxed: a queue pair that connects was counted before.
    std::atomic<std::size_t> size_{0};
};

}  // namespace opennd::soft

// SPDX-License-Identifier: MIT
// The software RNIC's completion queue: a ring of outcomes and the list of queue pairs that feed it. A caller that polls
// makes the progress itself and, where it can, gets its completions straight from the queue pair without the ring.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/lock.h"
#include "platform/thread/biased_lock.h"
#include "transport/completion/completion_ring.h"
#include "transport/completion_probe.h"
#include "transport/completion_queue.h"
#include "transport/soft/engine/crowd.h"

namespace opennd::soft {

class SoftQueuePair;
class SoftCompletionQueue;
class SoftSharedReceiveQueue;

// Which slots of its queue the retrieval of a completion sets free (ND2-CQ-GET-08).
struct Credit {
    std::atomic<std::uint32_t>* freed = nullptr;  // the queue's counter; null once its queue pair is gone
    std::uint32_t through = 0;                    // all slots before this number are free
    bool shared = false;  // one slot more, of a shared receive queue: its slots become free in any order

    [[gnu::always_inline]] void give() const {
        // Relaxed: the poster only compares numbers; the slot's content is guarded by the queue's lock.
        if (!freed) return;
        if (shared) [[unlikely]]
            freed->fetch_add(1, std::memory_order_relaxed);
        else
            freed->store(through, std::memory_order_relaxed);
    }
};

// One thread's run of the engine: the array that it offers for completions, and the work left for after all locks.
class Progress {
public:
    Progress() = default;
    // A caller polls `completion_queue` into `completions`.
    Progress(SoftCompletionQueue& completion_queue, std::span<Completion> completions)
        : polled(&completion_queue), room(completions) {}

    // Null if the thread does not poll.
    SoftCompletionQueue* const polled = nullptr;
    const std::span<Completion> room;
    std::size_t used = 0;

    bool full() const { return polled != nullptr && used == room.size(); }

    // The queue's armed event is due; the queue pair has something to do outside its lock. All rare.
    void add_due(SoftCompletionQueue& completion_queue);
    void add_due(SoftSharedReceiveQueue& shared_receive_queue);
    void add_unsettled(SoftQueuePair& queue_pair);

    // Does the added work. No lock held.
    void do_deferred() {
        if (deferred_) [[unlikely]]
            do_all_deferred();
    }

private:
    struct Deferred;
    struct Delete {
        void operator()(Deferred* deferred) const;
    };
    Deferred& deferred();
    void do_all_deferred();

    std::unique_ptr<Deferred, Delete> deferred_;  // null in the common case, which costs one comparison
};

class SoftCompletionQueue final : public TransportCompletionQueue {
public:
    // `judge` outlives it; null: the rule alone decides about room.
    SoftCompletionQueue(std::uint32_t depth, OverrunRule rule, NotifyRule notify_rule, CompletionQueueSink& sink,
                        RoomJudge* judge = nullptr);
    ~SoftCompletionQueue() override;

    std::size_t poll(std::span<Completion> completions) override;
    void arm(NotifyKind kind) override;
    void disarm() override;
    WaitingCompletions count_waiting() override;
    Status resize(std::uint32_t depth) override;
    void close() override;

    // Called by a queue pair under its lock. Puts the completion into the poller's array if nothing of this queue waits
    // before it and nothing must see it in the ring, otherwise into the ring. (Earlier completions of this queue pair were
    // pushed under the lock that the caller holds, so the count shows them.)
    [[gnu::always_inline]] void push(Completion completion, Credit credit, Progress& progress) {
        probe_completion(completion);
        if (progress.polled == this && progress.used < progress.room.size() && ring_.is_bypassed()) [[likely]] {
            progress.room[progress.used++] = completion;
            credit.give();
        } else {
            const Ring::Entry entry{completion, credit};
            append(entry, progress);
        }
    }
    // See CompletionRing::armed().
    bool armed() const { return ring_.armed(); }
    // Calls the sink if an event is due, or the end of the queue. No lock held.
    void deliver_event();

    // A queue pair that completes here, with room for all it can have outstanding (ND2-CQ-OVR-02). Throws std::bad_alloc.
    void attach(SoftQueuePair& queue_pair, std::uint32_t depth);
    // The queue pair closes: waits for a poller inside it; its completions stay, without the credit (ND2-CQ-GET-05).
    void detach(SoftQueuePair& queue_pair, std::uint32_t depth, const std::atomic<std::uint32_t>& freed);
    // Room for one completion more, that of a window which the peer takes away (ND1-CQ-08). Throws std::bad_alloc.
    void add_room();
    void remove_room();
    // The queue pair has a channel now.
    void connected(SoftQueuePair& queue_pair);
    // The queue overran: a queue pair that attaches now is dead like the attached ones.
    bool overrun();

    // For SoftCrowd, on the service thread: serves the queue pairs that it names.
    void serve_crowd(SoftCrowd::Poller poller);

    // A queue pair that completes here has receives from a shared queue: room for all of the shared queue, once for any number
    // of queue pairs (ND2-CQ-OVR-02). Throws std::bad_alloc.
    void attach_shared(SoftSharedReceiveQueue& queue, std::uint32_t depth);
    // The shared queue grows to `depth`. Throws std::bad_alloc.
    void deepen_shared(SoftSharedReceiveQueue& queue, std::uint32_t depth);
    // The queue pair is gone. Its completions stay, and still free slots of the shared queue when they are retrieved.
    void detach_shared(SoftSharedReceiveQueue& queue);

private:
    using Ring = CompletionRing<Credit>;
    // A shared receive queue that completions here come from. The reference is for their credits, and stays as long as the
    // ring may name the queue, also after the last of its queue pairs.
    struct Sharing {
        Ref<SoftSharedReceiveQueue> queue;
        std::uint32_t queue_pairs = 0;
        std::uint32_t depth = 0;  // of the ring's room; 0 without queue pairs
    };

    void append(const Ring::Entry& entry, Progress& progress);
    std::size_t take(std::span<Completion> completions);
    [[gnu::always_inline]] inline void visit_attached(Progress& progress) REQUIRES(list_lock_);
    bool has(const SoftQueuePair& queue_pair) const REQUIRES(list_lock_);
    void enlist(SoftQueuePair& queue_pair) REQUIRES(list_lock_);
    void begin_crowd() REQUIRES(list_lock_);
    bool ask_to_be_woken() REQUIRES(list_lock_);
    void run_attached(Progress& progress) REQUIRES(list_lock_);
    void end_after_overrun();
    Sharing& sharing_of(SoftSharedReceiveQueue& queue) REQUIRES(ring_.lock());
    void deepen(Sharing& sharing, std::uint32_t depth) REQUIRES(ring_.lock());

    Ring ring_;
    std::vector<Sharing> sharings_ GUARDED_BY(ring_.lock());

    // Guards the list, and keeps a queue pair alive while a poller is inside it. A poller only tries to take it: its holder
    // makes the progress. Taken before any queue pair's lock.
    BiasedLock list_lock_;
    std::vector<SoftQueuePair*> attached_ GUARDED_BY(list_lock_);  // while they are few
    Ref<SoftCrowd> crowd_ GUARDED_BY(list_lock_);                  // has them while they are many, else null
    // Whether crowd_ is set, without the lock. Relaxed, with a full barrier behind the store and one between the store of a queue
    // pair's channel and the load here: of a queue pair that connects while the crowd begins, one of the two sees the other
    // (tests/protocols/connecting.pml).
    std::atomic<bool> crowded_{false};
};

}  // namespace opennd::soft

// SPDX-License-Identifier: MIT
// The software RNIC's completion queue: a ring of outcomes and the list of queue pairs that feed it. A caller that polls
// makes the progress itself and, where it can, gets its completions straight from the queue pair without the ring.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/lock.h"
#include "model/overrun_rule.h"
#include "platform/memory/lazy_array.h"
#include "platform/thread/biased_lock.h"
#include "transport/completion_probe.h"
#include "transport/completion_queue.h"
#include "transport/soft/engine/crowd.h"

namespace opennd::soft {

class RoomJudge;
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
        if (progress.polled == this && progress.used < progress.room.size() &&
            count_.load(std::memory_order_acquire) == 0 && !ring_only_.load(std::memory_order_relaxed)) [[likely]] {
            progress.room[progress.used++] = completion;
            credit.give();
        } else {
            const Entry entry{completion, credit};
            append(entry, progress);
        }
    }
    // A thread waits for an event and must be woken for it, though others may poll meanwhile. Written with its lock held;
    // relaxed: callers order their own accesses.
    bool armed() const { return armed_.load(std::memory_order_relaxed); }
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
    struct Entry {
        Completion completion;
        Credit credit;
    };
    // A shared receive queue that completions here come from. The reference is for their credits, and stays as long as the
    // ring may name the queue, also after the last of its queue pairs.
    struct Sharing {
        Ref<SoftSharedReceiveQueue> queue;
        std::uint32_t queue_pairs = 0;
        std::uint32_t depth = 0;  // counted in attached_depth_; 0 without queue pairs
    };

    void append(const Entry& entry, Progress& progress);
    std::size_t take(std::span<Completion> completions);
    [[gnu::always_inline]] inline void visit_attached(Progress& progress) REQUIRES(list_lock_);
    bool has(const SoftQueuePair& queue_pair) const REQUIRES(list_lock_);
    void enlist(SoftQueuePair& queue_pair) REQUIRES(list_lock_);
    void begin_crowd() REQUIRES(list_lock_);
    bool ask_to_be_woken() REQUIRES(list_lock_);
    void run_attached(Progress& progress) REQUIRES(list_lock_);
    void reserve(std::size_t room) REQUIRES(lock_);
    bool has_room_for(const Completion& completion) REQUIRES(lock_);
    void end_after_overrun();
    Sharing& sharing_of(SoftSharedReceiveQueue& queue) REQUIRES(lock_);
    void deepen(Sharing& sharing, std::uint32_t depth) REQUIRES(lock_);
    bool holds_credit_of(SoftSharedReceiveQueue& queue) REQUIRES(lock_);
    bool matches(const Completion& completion, NotifyKind kind) const;
    bool find_event(NotifyKind kind) REQUIRES(lock_);
    void end_arming() REQUIRES(lock_);

    // Completions in the ring. Written under lock_; a poller reads it first without lock_ (acquire pairs with the release in
    // append: it sees all that another thread pushed before that thread released the queue pair's lock).
    std::atomic<std::uint32_t> count_{0};
    // No completion may go straight to a poller: the queue is armed, its rule is strict, or there is a judge. Written under lock_,
    // read without lock_ by push.
    std::atomic<bool> ring_only_;
    std::atomic<bool> armed_{false};  // as armed_for_; see armed()

    const OverrunRule rule_;
    const NotifyRule notify_rule_;
    RoomJudge* const judge_;  // null: none
    const bool all_in_ring_;  // the rule or the judge sees each completion

    SpinLock lock_;  // taken after a queue pair's lock; nothing is called under it but the judge
    // Room for all that the attached queue pairs can have outstanding, and for the completions of detached ones.
    LazyArray<Entry> ring_ GUARDED_BY(lock_);
    std::size_t capacity_ GUARDED_BY(lock_) = 0;  // a power of two
    std::uint32_t head_ GUARDED_BY(lock_) = 0;
    std::uint32_t depth_ GUARDED_BY(lock_);
    std::uint32_t unjudged_depth_ GUARDED_BY(lock_);  // room for which nobody is asked: depth_; with a judge none
    std::uint64_t attached_depth_ GUARDED_BY(lock_) = 0;
    std::vector<Sharing> sharings_ GUARDED_BY(lock_);
    std::uint32_t solicited_waiting_ GUARDED_BY(lock_) = 0;
    std::uint32_t invalidations_waiting_ GUARDED_BY(lock_) = 0;  // they need no room of the depth (ND1-CQ-08)
    // With NotifyRule::events or fresh: completions before this number have made their event. Numbered as head_ is.
    std::uint32_t seen_through_ GUARDED_BY(lock_) = 0;
    std::optional<NotifyKind> armed_for_ GUARDED_BY(lock_);
    std::optional<NotifyKind> event_due_ GUARDED_BY(lock_);
    bool depth_exceeded_ GUARDED_BY(lock_) = false;  // logged once (ND2-CQ-OVR-03)
    bool overrun_ GUARDED_BY(lock_) = false;         // for good (ND2-CQ-OVR-01)
    std::string_view cause_ GUARDED_BY(lock_) = {};  // the judge's, of the overrun; empty: there was no room
    bool overrun_due_ GUARDED_BY(lock_) = false;     // deliver_event() has not told the sink yet

    // Guards the list, and keeps a queue pair alive while a poller is inside it. A poller only tries to take it: its holder
    // makes the progress. Taken before any queue pair's lock.
    BiasedLock list_lock_;
    std::vector<SoftQueuePair*> attached_ GUARDED_BY(list_lock_);  // while they are few
    Ref<SoftCrowd> crowd_ GUARDED_BY(list_lock_);                  // has them while they are many, else null
    // Whether crowd_ is set, without the lock. Relaxed, with a full barrier behind the store and one between the store of a queue
    // pair's channel and the load here: of a queue pair that connects while the crowd begins, one of the two sees the other
    // (tests/protocols/connecting.pml).
    std::atomic<bool> crowded_{false};

    Mutex sink_mutex_;  // held while the sink runs, so that close() returns after it
    CompletionQueueSink* sink_ GUARDED_BY(sink_mutex_);
};

}  // namespace opennd::soft

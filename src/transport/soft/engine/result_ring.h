// SPDX-License-Identifier: MIT
// The ring of one of the software RNIC's completion queues, as queue pairs and shared receive queues use it: results go straight to the
// array of a thread that polls where they can, and their retrieval sets slots free.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/ref.h"
#include "model/completion.h"
#include "transport/completion/after_lock.h"
#include "transport/completion/completion_ring.h"
#include "transport/completion_probe.h"

namespace opennd::soft {

class ResultRing;

// One thread's run of the data path: the array that it offers for results, and the work that is left for after all locks.
class Progress {
public:
    Progress() = default;
    // A caller polls `results` into `completions`.
    Progress(const ResultRing& results, std::span<Completion> completions) : polled(&results), room(completions) {}

    // The ring of the polled queue; null if the thread does not poll.
    const ResultRing* const polled = nullptr;
    const std::span<Completion> room;
    std::size_t used = 0;
    AfterLock after;

    bool full() const { return polled != nullptr && used == room.size(); }
};

// The slots of its queue that the retrieval of a completion sets free (ND2-CQ-GET-08).
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

class ResultRing final : public CompletionRing<Credit> {
public:
    // `queue` has the ring, and delivers the due events. Otherwise as CompletionRing.
    ResultRing(const Deferral& queue, std::uint32_t depth, OverrunRule rule, NotifyRule notify_rule,
               CompletionQueueSink& sink, RoomJudge* judge)
        : CompletionRing(depth, rule, notify_rule, sink, judge), queue_(queue) {}
    // Drops the results that were not retrieved; the shared receive queues, which stay in use, get their slots back.
    ~ResultRing();

    // Called by a queue pair under its lock. Puts the result into the poller's array if nothing of this queue waits before it and
    // nothing must see it in the ring, otherwise into the ring. (Earlier results of this queue pair were pushed under the lock that the
    // caller holds, so that empty() shows them.)
    [[gnu::always_inline]] void push(Completion completion, Credit credit, Progress& progress) {
        probe_completion(completion);
        if (progress.polled == this && progress.used < progress.room.size() && empty() && !sees_all()) [[likely]] {
            progress.room[progress.used++] = completion;
            credit.give();
        } else {
            const Entry entry{completion, credit};
            add(entry, progress);
        }
    }

    // Returns true if the queue has overrun: a queue pair that comes now is dead like the others.
    bool has_overrun();
    // Makes room for all that a queue pair can have outstanding, or for the result of a window that its peer takes away
    // (ND2-CQ-OVR-02, ND1-CQ-08). Throws std::bad_alloc.
    void make_room(std::uint32_t results);
    void give_room(std::uint32_t results);
    // Forgets the queue of requests that counts in `freed` and is gone: its results stay, without the credit
    // (ND2-CQ-GET-05).
    void forget(const std::atomic<std::uint32_t>& freed);

    // Makes room for all of a shared queue, which counts in `freed`, once for any number of queue pairs that take
    // receives from it and complete here (ND2-CQ-OVR-02). Throws std::bad_alloc.
    void share(RefCounted& queue, std::atomic<std::uint32_t>& freed, std::uint32_t depth);
    // Makes room for a shared queue that grows to `depth`. Throws std::bad_alloc.
    void deepen_shared(const RefCounted& queue, std::uint32_t depth);
    // Notes that one of the queue pairs is gone. Its results stay, and still free slots of the shared queue when they
    // are retrieved.
    void unshare(const RefCounted& queue);

private:
    // A shared receive queue of results in this ring. The reference is for their credits, and stays as long as the ring
    // may name the queue, also after the last of its queue pairs.
    struct Sharing {
        Ref<RefCounted> queue;
        const std::atomic<std::uint32_t>* freed;
        std::uint32_t queue_pairs = 0;
        std::uint32_t depth = 0;  // of the ring's room; 0 without queue pairs
    };

    void add(const Entry& entry, Progress& progress);
    Sharing* find(const RefCounted& queue) REQUIRES(lock());
    void deepen(Sharing& sharing, std::uint32_t depth) REQUIRES(lock());

    const Deferral queue_;
    std::vector<Sharing> sharings_ GUARDED_BY(lock());
};

}  // namespace opennd::soft

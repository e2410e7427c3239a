// SPDX-License-Identifier: MIT
// The queue pairs of a completion queue that has too many of them to look at each. A poll looks at those that their wires name;
// read soft/channel/ready_source.h first.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/lock.h"
#include "base/ref.h"
#include "platform/thread/event_loop.h"
#include "transport/soft/channel/ready_source.h"
#include "transport/soft/progress/busy_places.h"
#include "transport/soft/progress/poll_pacing.h"
#include "transport/soft/progress/taking_turns.h"

namespace opennd::soft {

class Progress;
class Service;
class SoftCompletionQueue;
class PolledQueuePair;

// The completion queue's list lock guards all but serve(), take_over() and polls(), and keeps the queue pairs alive.
class SoftCrowd final : public Crowd {
public:
    // `loop` outlives it, and serves the queue.
    SoftCrowd(SoftCompletionQueue& queue, EventLoop& loop);
    ~SoftCrowd() override;

    // Adds a queue pair of the queue. Its channel joins, now if it has one, else with connected(). Throws
    // std::bad_alloc.
    void add(PolledQueuePair& queue_pair);
    void remove(PolledQueuePair& queue_pair);
    bool has(const PolledQueuePair& queue_pair) const { return places_.contains(&queue_pair); }
    std::size_t size() const { return places_.size(); }
    template <typename Function>
    void for_each(Function function) const {
        for (const Member& member : members_)
            if (member.queue_pair) function(*member.queue_pair);
    }
    // Appends all queue pairs to `all`.
    void list(std::vector<PolledQueuePair*>& all) const {
        for_each([&all](PolledQueuePair& queue_pair) { all.push_back(&queue_pair); });
    }
    // Lets the channel of the queue pair join, unless it has. If its wire names nothing, or there is no memory, the
    // queue pair has its turns.
    void connected(PolledQueuePair& queue_pair);
    // The sources tell the loop of `service` from here on.
    void move_to(Service& service);
    // Ends the crowd. Work that polls left goes to the service thread.
    void end();

    // Visits queue pairs, for a poll of the queue, which is `armed` or not.
    void visit(Progress& progress, bool armed);
    // Lets peers ring from here on, because the queue was armed. Returns true if a heavy_barrier() is due, else a
    // full_barrier() is. run() follows: it finds all that came before, and waits for locks.
    [[nodiscard]] bool ask_to_be_woken();
    void run(Progress& progress);
    // Takes the queue pairs that have something to do, oldest first, for serve() and take_over(). Returns how many; if
    // fewer than `named.size()`, no more have.
    enum class Poller : std::uint8_t { may_be_there, may_have_left };
    std::size_t take_named(std::span<Ref<PolledQueuePair>> named, Poller poller);

    ReadySource* find(const void* wire) const override;
    void add(const void* wire, Ref<ReadySource> source) override;
    void remove(const void* wire) override;

    void serve() override;
    void take_over() override;
    std::uint32_t polls() const override { return polls_.load(std::memory_order_relaxed); }
    // Calls serve() soon. Any thread.
    void serve_later();

private:
    enum class Visits : std::uint8_t { none, when_named, in_turn };
    struct Member {
        PolledQueuePair* queue_pair = nullptr;  // null: the place is free
        Visits visits = Visits::none;           // none: it has no channel
    };
    struct Source {
        const void* wire;
        Ref<ReadySource> source;
    };
    Ref<SoftCompletionQueue> queue() const EXCLUDES(queue_mutex_);
    // Returns the queue pair of the place; null if the place is free, or none.
    PolledQueuePair* at(Place place) const {
        const auto number = static_cast<std::size_t>(place);
        return number < members_.size() ? members_[number].queue_pair : nullptr;
    }
    bool visit_busy(Progress& progress);
    bool visit_named(Progress& progress);
    Place free_place();
    void leave(Member& member);
    void count_poll();
    void set_attention(Attention attention);
    bool fall_asleep();
    void look_at_followed();
    void note_busy(Place place);
    void unfollow(Place place);
    bool visit_followed(Place place, Progress& progress);
    void collect(Asking asking);
    bool visit(Place place, Progress& progress);
    void count_idle_poll();

    std::atomic<EventLoop*> loop_;                             // relaxed: the one before would serve as well
    mutable Mutex queue_mutex_;                                // nothing is called under it
    Ref<SoftCompletionQueue> queue_ GUARDED_BY(queue_mutex_);  // until end()

    std::vector<Member> members_;  // by place
    std::vector<Place> free_places_;
    std::unordered_map<const PolledQueuePair*, Place> places_;
    std::vector<Source> sources_;
    ReadyList ready_;  // named, and not run since, or run with work left
    BusyPlaces busy_;
    TakingTurns turns_;

    // The pacing of polls for all channels that joined, as PollPacing has it for one.
    Attention attention_ = Attention::asleep;
    PollerTrust trust_;
    NudgePacing nudges_;
    std::uint32_t idle_polls_ = 0;  // in a row
    SteadyTime idle_since_{};

    std::atomic<std::uint32_t> polls_{0};
    std::atomic<bool> serve_due_{false};  // posted to the loop, and has not begun. Relaxed: the loop orders the rest
};

}  // namespace opennd::soft

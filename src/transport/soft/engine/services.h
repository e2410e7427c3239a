// SPDX-License-Identifier: MIT
// The event loops of a transport, and the service on each. Everything begins on the first one, which is the loop of the process; a
// process that does little has no other. The sockets of a completion queue move to another one if their arrivals keep a loop busy, or
// if a thread waits for them that helps another loop meanwhile (soft/progress/completion_queue.h, docs/decisions/0088).
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/lock.h"
#include "base/ref.h"
#include "platform/thread/event_loop.h"
#include "transport/soft/engine/service.h"

namespace opennd::soft {

// Any thread, once start() has succeeded.
class Services {
public:
    // A waiting thread beyond them shares a loop.
    static constexpr std::size_t kMostLoops = 64;
    // `first` outlives it. `most`: the loops that there may be; 0: kMostLoops for threads that wait, and for busy queues one for each
    // processor that the process may use.
    Services(EventLoop& first, std::size_t most, std::uint32_t most_patience);

    // Starts the first one. No effect if it runs. insufficient_resources: no descriptor for its doorbell.
    Status start() EXCLUDES(mutex_);

    bool has_others() const { return most_ > 1; }
    // The most arms in a row by threads of other loops that a completion queue needs to follow them.
    std::uint32_t most_patience() const { return most_patience_; }
    Service& first() const { return *first_.load(std::memory_order_acquire); }
    // The one whose loop the calling thread helps while it waits. Threads get the loops in turn, each for good.
    Service& of_thread() EXCLUDES(mutex_);
    // The next one in turn, for a completion queue whose arrivals keep a loop busy.
    Service& next() EXCLUDES(mutex_);

private:
    struct Place {
        std::unique_ptr<EventLoop> loop;  // null for the first
        Ref<Service> service;             // null: not started
    };
    Service& at(std::size_t number) EXCLUDES(mutex_);
    Status start(Place& place, EventLoop& loop) REQUIRES(mutex_);

    EventLoop& first_loop_;
    const std::size_t most_, most_busy_;
    const std::uint32_t most_patience_;
    std::atomic<Service*> first_{nullptr};
    std::atomic<std::size_t> threads_{0}, next_{0};  // counts; relaxed, each stands alone

    Mutex mutex_;                                   // only an event loop is called under it
    std::vector<Place> places_ GUARDED_BY(mutex_);  // by the number of the loop
};

}  // namespace opennd::soft

// SPDX-License-Identifier: MIT
// The two sides of a channel as they wait for each other: who is woken for an arrival, and what this side can see of the peer's progress.
#pragma once

#include <cstdint>

#include "model/queue_use.h"

namespace opennd {
class EventLoop;
}

namespace opennd::soft {

class Crowd;
enum class Place : std::uint32_t;

// The treatment that this side asks of the peer. polling: a thread polls all the time; store only. awake: a thread will
// poll; order the stores before the next load of this word. asleep: ring. The peer over a socket does not see it: there
// polling means that an arrival wakes no thread of this side.
enum class Attention : std::uint32_t { polling, awake, asleep };

class PeerAttention {
public:
    virtual ~PeerAttention() = default;

    virtual Attention attention() const = 0;
    // Sets the attention, and returns the one before. Any thread, more than one at a time. After a change from polling
    // to another attention the caller issues heavy_barrier() and checks for news; after one from awake to asleep,
    // full_barrier() (tests/protocols/arming.pml).
    virtual Attention set_attention(Attention attention) = 0;

    // Wakes the peer's service thread, for a peer that stopped polling silently.
    virtual void nudge() = 0;
    // Returns true if the peer is not asleep, and was not rung: only its pollers take the messages of this side, until
    // a nudge. Any thread.
    virtual bool relies_on_peers_pollers() const { return false; }

    // Reads the counters in memory that the peer writes, for Channel::find_outcome(): costs a cache line.
    virtual void read_counters() {}
    // Returns true if requests in flight finished, and find_outcome() was not called for them yet. Costs the same.
    virtual bool has_outcome() const { return false; }

    // Joins `crowd`, a completion queue of the queue pair with many others (ready_source.h), where the queue pair has
    // `place`. Returns true if arrivals, outcomes and room make a source of the crowd name the place from here on, and
    // those from before name it at once. Returns false if this wire names nothing, or cannot here, and the crowd looks
    // at the queue pair in turn. A channel has joined up to two crowds. Under the list lock of the completion queue.
    // Throws std::bad_alloc.
    [[nodiscard]] virtual bool join(Crowd&, Place) { return false; }
    // Leaves the crowd: the place is not this queue pair's any more, or the queue is no crowd any more. No effect if
    // join() was not called, or was false. Under the same lock.
    virtual void leave(Crowd&) {}
    // Tells whether the only crowd of the channel has a poller that looks at it at every poll (`closely`), so that its
    // source need not name it. Returns true if the source does not name it then, until follow(false), after which the
    // caller issues heavy_barrier() and looks once more. Under the same lock; while the crowd's attention is polling.
    [[nodiscard]] virtual bool follow(bool /*closely*/) { return false; }

    // The event loop `loop` tells of arrivals over a socket from here on; if it cannot, the one before goes on. Under the list lock of a
    // completion queue.
    virtual void move_to(EventLoop& /*loop*/) {}

    // Fills in for `nd show`: the traffic of the connection so far, the TCP connection below, and how bytes travel. Any
    // thread.
    virtual void describe_connection(QueuePairUse&) const {}
};

}  // namespace opennd::soft

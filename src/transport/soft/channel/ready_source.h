// SPDX-License-Identifier: MIT
// How a wire names the queue pairs that have something to do. A poll of a completion queue with few queue pairs looks at each; one
// with many, a crowd, looks at those that its sources name, so that its cost follows the work.
//
// The channels of a crowd join it with the place of their queue pair, and the wire makes one source for as many of them as it can
// tell about at once: all sockets of a completion queue have one, all connections to one process of this host have one.
#pragma once

#include <cstdint>

#include "base/ref.h"
#include "transport/soft/channel/peer_attention.h"
#include "transport/soft/channel/ready_list.h"

namespace opennd::soft {

// How thoroughly a source is asked.
enum class Asking : std::uint8_t {
    in_passing,  // by a poller, which asks again: a source may name a part
    thoroughly,  // by a thread that will not ask again: all that have something are named
};

// A part of a wire that names places of one completion queue. A place that is named wrongly, or once too often, costs a
// look and does no harm.
class ReadySource : public RefCounted {
public:
    // Adds the places that had an arrival, an outcome or room since they were added last. Under the list lock of the queue. Each is
    // added by one call only: the caller keeps it until its queue pair has been run and left nothing.
    virtual void collect(ReadyList& ready, Asking asking) = 0;

    // The treatment that this side asks of the peers, or of the kernel, for all channels that joined: as Attention,
    // with the same duties of the caller. Set under the list lock; read by any thread.
    virtual void set_attention(Attention attention) = 0;
    virtual Attention attention() const = 0;

    // Wakes the peers' service threads, because requests of this side have been unanswered for long, or this side goes
    // to sleep: a peer may have stopped polling silently. Under the list lock.
    virtual void nudge() {}

    // The event loop `loop` tells of what it names from here on, as PeerAttention::move_to(). Under the list lock.
    virtual void move_to(EventLoop& /*loop*/) {}

    // Closes the source, which every channel has left. Nothing calls Crowd from here on. Under the list lock.
    virtual void close() = 0;
};

// A crowded completion queue as its sources see it.
class Crowd : public RefCounted {
public:
    // Returns the source that add() gave for `wire`, an address that names the wire or the link; null: none so far. In
    // join() and leave() only, as are add(), which throws std::bad_alloc, and remove(), which closes a source that all
    // channels have left.
    virtual ReadySource* find(const void* wire) const = 0;
    virtual void add(const void* wire, Ref<ReadySource> source) = 0;
    virtual void remove(const void* wire) = 0;

    // Runs the queue pairs that were named while no thread polled. On the service thread, no lock held.
    virtual void serve() = 0;
    // Does as serve() for a poller that may have stopped: attention becomes asleep first. A peer that rings also asks
    // for this.
    virtual void take_over() = 0;
    // Counts the polls of the queue. Any thread; relaxed.
    virtual std::uint32_t polls() const = 0;
};

}  // namespace opennd::soft

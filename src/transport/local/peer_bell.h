// SPDX-License-Identifier: MIT
// Wakes the peer of a ring channel as it wishes: a peer that polls sees the store, one that sleeps is rung, and crowds of the peer get
// the connection's name (tests/protocols/attention.pml, names.pml).
#pragma once

#include <atomic>
#include <cstdint>

#include "platform/thread/asymmetric_barrier.h"
#include "transport/local/arena/segment.h"
#include "transport/local/link/link_end.h"

namespace opennd::local {

class PeerBell {
public:
    // `out` is the lane whose consumer is woken. `link_end` outlives the bell; null: the peer polls, and is never woken.
    PeerBell(Lane& out, LinkEnd* link_end) : out_(out), link_end_(link_end) {}

    // Wakes the peer, after every store that it may wait for. The common case, a peer that polls, costs a load. Any
    // thread.
    void ring() {
        light_barrier();  // the store precedes the load; a peer that stops polling completes this with a heavy barrier
        const std::uint32_t wish = out_.wishes.attention.load(std::memory_order_relaxed);
        if (wish != kPolling) ring_waiting(wish);
    }
    // Wakes the peer's service thread, for a peer that stopped polling silently.
    void ring_again();
    // Returns true if no thread of the peer polls.
    bool peer_sleeps() const;

private:
    [[gnu::noinline]] void ring_waiting(std::uint32_t wish);
    void ring_sleeping(std::uint32_t wish);

    Lane& out_;
    LinkEnd* const link_end_;
};

}  // namespace opennd::local

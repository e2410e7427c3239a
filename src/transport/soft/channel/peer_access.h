// SPDX-License-Identifier: MIT
// The peer in memory of this side: whether it is in the middle of an access, and how this side keeps it out.
#pragma once

#include "model/token.h"

namespace opennd::soft {

// The defaults are for a stream: its peer takes nothing out of this side's memory, and octets that left cannot be taken back.
class PeerAccess {
public:
    virtual ~PeerAccess() = default;

    // Returns true if the peer is in an access through `token`, dead by now; once this is false, it begins none. Called
    // when initiator and responder of the queue pair have left their own accesses through the token (AccessEnd).
    virtual bool peer_accesses(Token) const { return false; }
    // Lets the peer begin no access to memory of this side from now on. Returns true if it is in none any more. Any
    // thread, after the queue pair has ended; called again until it is true.
    [[nodiscard]] virtual bool exclude_peer() { return true; }
    // Notes that the wait for the peer was in vain: peer_accesses() is false from now on. Any thread.
    virtual void distrust_peer() {}

    // Stops this side's requests for a flush: none of them is started after this, and the peer does not see those that it
    // has not taken. Called when neither start() nor receive() runs. Returns true if the peer takes none of them any more
    // and touches none of their memory, and find_outcome() has the outcome of those that it had taken. Returns false if the
    // peer is in the middle of one; the caller calls again. A peer that is stopped there delays this only for a limited
    // time. Cheap once it was true.
    [[nodiscard]] virtual bool stop_requests() { return true; }
    // Shows the peer the flushed requests again, as taken back: the peer passes over them, which makes room. After the flush.
    virtual void show_as_taken_back() {}
};

}  // namespace opennd::soft

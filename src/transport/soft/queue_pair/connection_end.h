// SPDX-License-Identifier: MIT
// The connection behind a channel, as its queue pair sees it: this side of it. How a connection ends is in
// soft/connection/connection_end.cpp.
#pragma once

#include <optional>

#include "base/ref.h"
#include "transport/soft/channel/channel_layer.h"

namespace opennd::soft {

// Called with no queue pair lock held, but for lose_peer().
class ConnectionEnd : public RefCounted {
public:
    // A request failed, here or at the peer: end the connection and tell the program.
    virtual void queue_pair_failed() = 0;
    // The program released the queue pair: end the connection, and tell the connector's program (ND2-QP-REL-02).
    virtual void queue_pair_closed() = 0;
    // Loses the peer soon, on the service thread: for both programs it is as if the peer's process had died. The
    // caller's layer starts nothing from now on, and takes nothing once the arrivals of before were moved up. Any
    // thread, under any lock.
    virtual void lose_peer() {}
    // Returns the facts of the connection; nothing if it is not up.
    virtual std::optional<ConnectionFacts> facts() { return std::nullopt; }
};

}  // namespace opennd::soft

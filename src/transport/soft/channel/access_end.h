// SPDX-License-Identifier: MIT
// How long the owner of memory waits for peers that are in the middle of an access to it: for all of them together.
#pragma once

#include <chrono>

#include "model/token.h"
#include "platform/process/clock.h"

namespace opennd::soft {

class Channel;

// One end of a registration or a binding: its token is dead, and every peer sees that. Its time begins with its construction.
class AccessEnd {
public:
    AccessEnd() : AccessEnd(kPatience) {}
    explicit AccessEnd(std::chrono::seconds patience) : patience_(patience), deadline_(now() + patience) {}

    // Returns when the peer of `channel` has left its accesses through `token`. Returns false if it did not in time,
    // which is logged; the channel disbelieves the peer from now on, and the caller ends the connection. Called as
    // PeerAccess::peer_accesses.
    [[nodiscard]] bool wait_for_peer(Channel& channel, Token token) const;
    // Returns true if the time is over: wait_for_peer() does not wait any more.
    bool is_over() const { return now() > deadline_; }

private:
    // A peer can be stopped in the middle of an access, or claim one: the wait for it has a limit.
    static constexpr std::chrono::seconds kPatience{2};

    const std::chrono::seconds patience_;
    const SteadyTime deadline_;
};

}  // namespace opennd::soft

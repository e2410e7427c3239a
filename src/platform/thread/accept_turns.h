// SPDX-License-Identifier: MIT
// Takes the connections that wait at a listening socket: some in each turn of the loop, so that peers which connect and hang up without
// end hold up no other watcher, and none is lost.
#pragma once

#include <cstdint>

#include "base/status.h"
#include "platform/thread/event_loop.h"

namespace opennd {

// The watcher of a listening socket, for EventLoop::kArrival.
class AcceptTurns : public EventLoop::Watcher {
public:
    // Connections in one turn. The next turn goes on.
    static constexpr int kMostInTurn = 64;

    // `loop` is the one that it is added to, and outlives it.
    explicit AcceptTurns(EventLoop& loop) : loop_(loop) {}

    void on_ready(std::uint32_t) final;

protected:
    // Takes one connection, and serves or refuses it. A callback of the loop; `would_block` and failures have taken none.
    //   would_block  none waits, or the listener has closed: the next arrival calls again
    //   otherwise    one waits, and there is no place, descriptor or memory for it now: called again after 10 ms
    virtual Status accept_one() = 0;

private:
    void take_some();

    EventLoop& loop_;
    bool goes_on_ = false;  // take_some() is to come, by a post or a timer; touched in callbacks of the loop alone
};

}  // namespace opennd

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

// An arrival while more is to be taken anyway begins no second round: rounds would grow in number as long as peers connect.
inline void AcceptTurns::on_ready(std::uint32_t) {
    if (!goes_on_) take_some();
}

inline void AcceptTurns::take_some() {
    constexpr std::chrono::milliseconds kTakeAgain{10};
    goes_on_ = false;
    Status status = Status::success;
    for (int taken = 0; taken < kMostInTurn && ok(status); ++taken) status = accept_one();
    if (status == Status::would_block) return;
    goes_on_ = true;
    auto go_on = [self = Ref<AcceptTurns>(this)] { self->take_some(); };
    if (ok(status))
        loop_.post(std::move(go_on));  // the rest has arrived, and no event will report it
    else
        loop_.schedule(now() + kTakeAgain, std::move(go_on));  // the thread must not spin until there is a place
}

}  // namespace opennd

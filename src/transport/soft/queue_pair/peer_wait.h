// SPDX-License-Identifier: MIT
// The wait of a queue pair for its peer: a timer brings a thread back, and now and then wakes the peer; a message that waits for a
// receive gets a time limit. The timers start after the queue pair's lock.
#pragma once

#include <atomic>
#include <bit>
#include <cstdint>
#include <utility>

#include "base/ref.h"
#include "model/queue_pair_state.h"
#include "transport/soft/channel/channel.h"
#include "transport/soft/engine/initiator.h"
#include "transport/soft/engine/responder.h"

namespace opennd::soft {

// Not thread-safe: the queue pair's lock guards it.
class PeerWait {
public:
    // `queue_pair` starts the timers that take_due() tells.
    PeerWait(const Deferral& queue_pair, const std::atomic<QueuePairState>& state, const Ref<Channel>& channel,
             const Initiator& initiator, const Responder& responder)
        : queue_pair_(queue_pair), state_(state), channel_(channel), initiator_(initiator), responder_(responder) {}

    // Asks for a timer that brings a thread back, unless one runs already.
    void come_back(Progress& progress);
    // Does so for work that waits for the peer, unless the wire watches itself. The caller may be a poller that never polls
    // again, while the peer believes that it does and does not ring.
    void come_back_for_work(Progress& progress);
    // Does so for requests that are left to the peer's pollers: nobody tells this side when they stop. `armed`: a thread
    // waits for an event, and does not notice either.
    void watch_pollers(bool armed, Progress& progress);
    // Gives a message that begins to wait for a receive its time limit. A poller here sees the arrival that waits, not that
    // its own requests stand still.
    void watch_starvation(bool armed, Progress& progress);

    // Returns true if a message waits for a receive since the wait of this number began.
    bool starves_since(std::uint32_t starvation) const {
        return is_attached() && responder_.starved() && responder_.starvation() == starvation;
    }
    // Notes that the timer has expired.
    void expire() { scheduled_ = false; }
    // Returns true if work waits still. Called after expire(), while attached.
    bool goes_on(bool armed) const;
    // Returns true if the peer has done nothing for the oldest request, and is to be woken: each time after twice as
    // long. Called after expire(), with the work still waiting.
    bool is_nudge_due() {
        in_vain_ = initiator_.head() == head_ ? in_vain_ + 1 : 0;
        return std::has_single_bit(in_vain_);
    }

    // The timers to start now.
    struct Due {
        std::uint32_t starvation = 0;  // the wait for a receive that gets a time limit; 0: none
        bool revisit = false;          // a thread is to come back
    };
    Due take_due() { return std::exchange(due_, {}); }

private:
    bool is_attached() const { return state_.load(std::memory_order_relaxed) == QueuePairState::attached; }
    bool is_left_to_pollers(bool armed) const;

    // The parts of the queue pair. It has a channel while it is attached.
    const Deferral queue_pair_;
    const std::atomic<QueuePairState>& state_;
    const Ref<Channel>& channel_;
    const Initiator& initiator_;
    const Responder& responder_;

    Due due_;
    std::uint32_t watched_ = 0;  // the newest wait for a receive that got a time limit
    bool scheduled_ = false;
    std::uint32_t head_ = 0;     // of the initiator, when the timer was asked for
    std::uint32_t in_vain_ = 0;  // timers in a row, with the head where it was
};

}  // namespace opennd::soft

// SPDX-License-Identifier: MIT
// The timers of a queue pair that waits for its peer: a thread comes back, and now and then wakes the peer.
#pragma once

#include <bit>
#include <cstdint>

namespace opennd::soft {

// Not thread-safe: the queue pair's lock guards it.
class PeerWait {
public:
    // Notes the number of the wait for a receive (Responder::starvation()). Returns true if it is a new one, which gets
    // a time limit.
    bool begins(std::uint32_t starvation) {
        if (starvation == watched_) return false;
        watched_ = starvation;
        return true;
    }

    // Asks for a timer, while the initiator's oldest request is `head`. Returns false if it runs already.
    bool schedule(std::uint32_t head) {
        if (scheduled_) return false;
        scheduled_ = true;
        head_ = head;
        return true;
    }
    // Notes that the timer has expired.
    void expire() { scheduled_ = false; }
    // Returns true if the peer has done nothing for the oldest request, and is to be woken: each time after twice as
    // long. Called after expire(), with the work still waiting.
    bool is_nudge_due(std::uint32_t head) {
        in_vain_ = head == head_ ? in_vain_ + 1 : 0;
        return std::has_single_bit(in_vain_);
    }

private:
    std::uint32_t watched_ = 0;
    bool scheduled_ = false;
    std::uint32_t head_ = 0;     // when the timer was scheduled
    std::uint32_t in_vain_ = 0;  // timers in a row, with the head where it was
};

}  // namespace opennd::soft

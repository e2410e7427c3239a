// SPDX-License-Identifier: MIT
// How long a peer's system has answered nothing though octets wait for it. A peer that takes nothing is not silent as long as its
// system answers probes of its closed window (docs/decisions/0072).
#pragma once

#include <algorithm>
#include <chrono>

#include "platform/descriptor/tcp_socket.h"
#include "platform/process/clock.h"

namespace opennd::iwarp {

class Silence {
public:
    // A peer is lost that was silent for `limit`.
    explicit Silence(std::chrono::milliseconds limit) : limit_(limit) {}

    std::chrono::milliseconds limit() const { return limit_; }
    // Between two looks. A silence is found so much after its limit at most.
    std::chrono::milliseconds distance() const { return std::max(limit_ / 4, std::chrono::milliseconds(1)); }

    // Octets are on their way.
    void begin(SteadyTime now) { since_ = now; }
    // Some still are: true if the peer is lost. What is on its way may have left long after the newest answer, so a silence begins
    // with the look that finds an answer. One segment may get lost: the system has sent again twice.
    bool is_over(SteadyTime now, const PeerAnswers& answers) {
        if (answers.complete || now - answers.newest > since_) since_ = now;
        return now - since_ >= limit_ && answers.missing >= 2;
    }

private:
    const std::chrono::milliseconds limit_;
    SteadyTime since_{};
};

}  // namespace opennd::iwarp

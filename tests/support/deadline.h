// SPDX-License-Identifier: MIT
//
// Deadlines. Tests never sleep to synchronise: they wait for a condition, and a condition that does not come by the
// deadline is a failure with a message. The default is generous because sanitizers and shared machines are slow.
#pragma once

#include <chrono>
#include <cstdint>
#include <thread>

namespace opennd::support {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

inline constexpr milliseconds kDeadline{10'000};

// Spins, yielding, until done() is true. False if that did not happen within the limit.
template <typename Condition>
[[nodiscard]] bool wait_until(Condition&& done, milliseconds limit = kDeadline) {
    const auto end = Clock::now() + limit;
    do {
        if (done()) return true;
        std::this_thread::yield();
    } while (Clock::now() < end);
    return done();
}

}  // namespace opennd::support

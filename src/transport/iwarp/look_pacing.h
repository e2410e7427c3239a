// SPDX-License-Identifier: MIT
// How long the thread that served a Read or Write of a peer goes on looking for the next one before it sleeps: to put a thread to
// sleep and to wake it takes several times as long as to serve a short request (docs/decisions/0048).
#pragma once

#include <chrono>

#include "platform/process/clock.h"

namespace opennd::iwarp {

// Of all connections. Not thread-safe: owned by the turn of the event loop.
class LookPacing {
public:
    // The longest look without a request.
    static constexpr std::chrono::microseconds kLongestLook{50};
    // The longest distance of two requests after which a look begins. A thread that sleeps in between serves the second late.
    static constexpr std::chrono::microseconds kLongestDistance{200};
    // Looks in vain may take this share of the time, and this much of it at once.
    static constexpr int kVainShare = 128;
    static constexpr std::chrono::microseconds kMostVain{1000};

    // One connection's part.
    struct Target {
        SteadyTime served{};  // when its newest request was
    };

    // A request of `target` was served at `at`. True: look for the next, or go on.
    bool served(Target& target, SteadyTime at);
    // None has come since. True: go on.
    bool goes_on(const Target& target, SteadyTime at);

private:
    std::chrono::nanoseconds vain_left_ = kMostVain;
    SteadyTime earned_at_{};
};

}  // namespace opennd::iwarp

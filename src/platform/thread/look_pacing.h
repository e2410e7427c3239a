// SPDX-License-Identifier: MIT
// How long a thread that expects more work goes on looking for it before it sleeps: to put a thread to sleep and to wake it takes
// several times as long as a short request, for the thread and for its peer (docs/decisions/0048, 0050).
#pragma once

#include <algorithm>
#include <chrono>
#include <utility>

#include "platform/process/clock.h"

namespace opennd {

// The pacing of all places that a thread looks at. Not thread-safe.
class LookPacing {
public:
    // The longest look without work.
    static constexpr std::chrono::microseconds kLongestLook{50};
    // The longest distance of two pieces of work after which a look pays. A thread that sleeps in between does the second late.
    static constexpr std::chrono::microseconds kLongestDistance{200};
    // Looks in vain may take this share of the time, and this much of it at once.
    static constexpr int kVainShare = 128;
    static constexpr std::chrono::microseconds kMostVain{1000};
    // A look that finds work saves a sleep and a wake-up. They take longer than this, which looks in vain may take in addition, this much
    // of it at once.
    static constexpr std::chrono::microseconds kSavedByFinding{4};
    static constexpr std::chrono::microseconds kMostSaved{8000};

    // Where work comes.
    struct Place {
        SteadyTime worked{};  // when its newest work was done
    };

    // Work that came at `place` was done at `at`. True: a look for more pays.
    bool did_work(Place& place, SteadyTime at);
    // None has come there since. True: the look goes on.
    bool goes_on(const Place& place, SteadyTime at);
    // A look found work.
    void looked_with_success();
    // A look in vain took this long. Of that, what is more than the longest look was the time of other threads.
    void looked_in_vain(std::chrono::nanoseconds time);

private:
    void earn(std::chrono::nanoseconds time, std::chrono::nanoseconds most);

    std::chrono::nanoseconds vain_left_ = kMostVain;
    SteadyTime earned_{};
};

inline bool LookPacing::did_work(Place& place, SteadyTime at) {
    const std::chrono::nanoseconds distance = at - std::exchange(place.worked, at);
    earn((at - std::exchange(earned_, at)) / kVainShare, kMostVain);
    return distance <= kLongestDistance && vain_left_ >= kLongestLook;
}

inline bool LookPacing::goes_on(const Place& place, SteadyTime at) {
    const auto looked = at - place.worked;
    if (looked < kLongestLook) return true;
    looked_in_vain(looked);
    return false;
}

inline void LookPacing::looked_with_success() { earn(kSavedByFinding, kMostSaved); }

inline void LookPacing::looked_in_vain(std::chrono::nanoseconds time) {
    vain_left_ -= std::min<std::chrono::nanoseconds>(time, kLongestLook);
}

inline void LookPacing::earn(std::chrono::nanoseconds time, std::chrono::nanoseconds most) {
    if (vain_left_ < most) vain_left_ = std::min(vain_left_ + time, most);
}

}  // namespace opennd

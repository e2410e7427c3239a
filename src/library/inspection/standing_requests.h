// SPDX-License-Identifier: MIT
// Since when looks into this process have found the oldest request of a queue pair to be the same: a lower bound of its age, which costs
// the program nothing (docs/decisions/0066-ages-without-a-clock.md).
#pragma once

#include <chrono>
#include <cstdint>
#include <map>

#include "base/lock.h"
#include "platform/process/clock.h"

namespace opennd {

// Thread-safe. Remembers the queue pairs that had requests outstanding at the newest look.
class StandingRequests {
public:
    // The look that began at `look` finds requests outstanding behind `completed` ones. Zero: no look before has found the oldest of them
    // to be the oldest. Throws std::bad_alloc.
    std::chrono::nanoseconds seen(std::uint32_t queue_pair, std::uint32_t completed, SteadyTime look) EXCLUDES(mutex_);
    // That look is over: queue pairs that it has not seen have nothing outstanding, or have gone.
    void forget_before(SteadyTime look) EXCLUDES(mutex_);

private:
    struct Seen {
        std::uint32_t completed;
        SteadyTime first, last;
    };

    Mutex mutex_;                                            // nothing is called under it
    std::map<std::uint32_t, Seen> seen_ GUARDED_BY(mutex_);  // by the number of the queue pair
};

inline std::chrono::nanoseconds StandingRequests::seen(std::uint32_t queue_pair, std::uint32_t completed,
                                                       SteadyTime look) {
    const Held lock(mutex_);
    Seen& known = seen_.try_emplace(queue_pair, Seen{completed, look, look}).first->second;
    if (known.completed != completed) known = {completed, look, look};
    known.last = look;
    return look - known.first;
}

inline void StandingRequests::forget_before(SteadyTime look) {
    const Held lock(mutex_);
    std::erase_if(seen_, [&](const auto& each) { return each.second.last < look; });
}

}  // namespace opennd

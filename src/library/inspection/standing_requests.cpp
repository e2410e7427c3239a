// SPDX-License-Identifier: MIT
// See standing_requests.h.
#include "library/inspection/standing_requests.h"

namespace opennd {

std::chrono::nanoseconds StandingRequests::seen(std::uint32_t queue_pair, std::uint32_t completed, SteadyTime look) {
    const Held lock(mutex_);
    Seen& known = seen_.try_emplace(queue_pair, Seen{completed, look, look}).first->second;
    if (known.completed != completed) known = {completed, look, look};
    known.last = look;
    return look - known.first;
}

void StandingRequests::forget_before(SteadyTime look) {
    const Held lock(mutex_);
    std::erase_if(seen_, [&](const auto& each) { return each.second.last < look; });
}

}  // namespace opennd

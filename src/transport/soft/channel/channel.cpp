// SPDX-License-Identifier: MIT
// Channel: see channel.h.
#include "transport/soft/channel/channel.h"

#include <algorithm>

namespace opennd::soft {

std::chrono::nanoseconds Channel::revisit_delay() const {
    const SteadyTime due = own_work_due_.load(std::memory_order_relaxed);
    if (due == kNoOwnWork) return kRevisitDelay;
    const SteadyTime at = now();
    return due <= at ? std::chrono::nanoseconds(0) : std::min<std::chrono::nanoseconds>(due - at, kRevisitDelay);
}

}  // namespace opennd::soft

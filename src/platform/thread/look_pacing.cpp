// SPDX-License-Identifier: MIT
// See look_pacing.h.
#include "platform/thread/look_pacing.h"

#include <algorithm>
#include <utility>

namespace opennd {

bool LookPacing::did_work(SteadyTime at) {
    const std::chrono::nanoseconds distance = at - std::exchange(worked_at_, at);
    vain_left_ = std::min<std::chrono::nanoseconds>(vain_left_ + distance / kVainShare, kMostVain);
    return distance <= kLongestDistance && vain_left_ >= kLongestLook;
}

// In full, also where other threads had the processor for milliseconds meanwhile: then it is below 0, and looks wait until that is earned.
void LookPacing::looked_in_vain(std::chrono::nanoseconds time) { vain_left_ -= time; }

}  // namespace opennd

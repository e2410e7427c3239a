// SPDX-License-Identifier: MIT
// See look_pacing.h.
#include "platform/thread/look_pacing.h"

#include <algorithm>
#include <utility>

namespace opennd {

bool LookPacing::did_work(Place& place, SteadyTime at) {
    const std::chrono::nanoseconds distance = at - std::exchange(place.worked, at);
    const std::chrono::nanoseconds earned = (at - std::exchange(earned_, at)) / kVainShare;
    vain_left_ = std::min<std::chrono::nanoseconds>(vain_left_ + earned, kMostVain);
    return distance <= kLongestDistance && vain_left_ >= kLongestLook;
}

bool LookPacing::goes_on(const Place& place, SteadyTime at) {
    const auto looked = at - place.worked;
    if (looked < kLongestLook) return true;
    looked_in_vain(looked);
    return false;
}

// In full, also where other threads had the processor for milliseconds meanwhile: then it is below 0, and looks wait until that is earned.
void LookPacing::looked_in_vain(std::chrono::nanoseconds time) { vain_left_ -= time; }

}  // namespace opennd

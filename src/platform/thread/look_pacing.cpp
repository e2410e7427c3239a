// SPDX-License-Identifier: MIT
// See look_pacing.h.
#include "platform/thread/look_pacing.h"

#include <algorithm>
#include <utility>

namespace opennd {

bool LookPacing::did_work(Place& place, SteadyTime at) {
    const std::chrono::nanoseconds distance = at - std::exchange(place.worked, at);
    earn((at - std::exchange(earned_, at)) / kVainShare, kMostVain);
    return distance <= kLongestDistance && vain_left_ >= kLongestLook;
}

bool LookPacing::goes_on(const Place& place, SteadyTime at) {
    const auto looked = at - place.worked;
    if (looked < kLongestLook) return true;
    looked_in_vain(looked);
    return false;
}

void LookPacing::looked_with_success() { earn(kSavedByFinding, kMostSaved); }

void LookPacing::looked_in_vain(std::chrono::nanoseconds time) {
    vain_left_ -= std::min<std::chrono::nanoseconds>(time, kLongestLook);
}

void LookPacing::earn(std::chrono::nanoseconds time, std::chrono::nanoseconds most) {
    if (vain_left_ < most) vain_left_ = std::min(vain_left_ + time, most);
}

}  // namespace opennd

// SPDX-License-Identifier: MIT
// See look_pacing.h.
#include "platform/thread/look_pacing.h"

#include <algorithm>
#include <utility>

namespace opennd {

bool LookPacing::did_work(SteadyTime at) {
    const std::chrono::nanoseconds distance = at - std::exchange(worked_at_, at);
    const std::chrono::nanoseconds earned =
        std::min<std::chrono::nanoseconds>(distance, kVainShare * kMostVain) / kVainShare;
    vain_left_ = std::min<std::chrono::nanoseconds>(vain_left_ + earned, kMostVain);
    return distance <= kLongestDistance && vain_left_ >= kLongestLook;
}

void LookPacing::looked_in_vain(std::chrono::nanoseconds time) {
    vain_left_ -= std::min<std::chrono::nanoseconds>(vain_left_, time);
}

}  // namespace opennd

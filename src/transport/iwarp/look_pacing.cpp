// SPDX-License-Identifier: MIT
// See look_pacing.h.
#include "transport/iwarp/look_pacing.h"

#include <algorithm>
#include <utility>

namespace opennd::iwarp {

bool LookPacing::served(Target& target, SteadyTime at) {
    const auto distance = at - std::exchange(target.served, at);
    const auto earned = (at - std::exchange(earned_at_, at)) / kVainShare;
    vain_left_ = std::min<std::chrono::nanoseconds>(vain_left_ + std::min<std::chrono::nanoseconds>(earned, kMostVain),
                                                    kMostVain);
    return distance <= kLongestDistance && vain_left_ >= kLongestLook;
}

bool LookPacing::goes_on(const Target& target, SteadyTime at) {
    const auto looked = at - target.served;
    if (looked < kLongestLook) return true;
    vain_left_ -= std::min<std::chrono::nanoseconds>(vain_left_, looked);
    return false;
}

}  // namespace opennd::iwarp

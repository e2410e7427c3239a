// SPDX-License-Identifier: MIT
// LineBudget: see line_budget.h.
#include "base/line_budget.h"

#include <algorithm>
#include <utility>

namespace opennd {

std::optional<std::uint64_t> LineBudget::take(Time at) {
    if (room_ == kAtOnce) filled_ = at;
    const auto passed = std::max<std::int64_t>((at - filled_) / kEach, 0);
    room_ += static_cast<std::uint32_t>(std::min<std::int64_t>(passed, kAtOnce - room_));
    filled_ += passed * kEach;
    if (room_ == 0) {
        ++left_out_;
        return std::nullopt;
    }
    --room_;
    return std::exchange(left_out_, 0);
}

}  // namespace opennd

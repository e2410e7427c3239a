// SPDX-License-Identifier: MIT
// Ways of doing the same, timed in turn.
#pragma once

#include <chrono>
#include <functional>
#include <span>
#include <vector>

#include "platform/process/clock.h"

namespace opennd {

using Clock = std::function<SteadyTime()>;
using Way = std::function<void()>;

// The least time of each way in `rounds` calls; one more call before them does not count. A disturbance lengthens a call and
// never shortens one, and meets all ways, since they take turns.
std::vector<std::chrono::nanoseconds> least_times(std::span<const Way> ways, int rounds, const Clock& clock);

}  // namespace opennd

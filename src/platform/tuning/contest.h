// SPDX-License-Identifier: MIT
// Ways of doing the same, timed in turn.
#pragma once

#include <algorithm>
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

inline std::vector<std::chrono::nanoseconds> least_times(std::span<const Way> ways, int rounds, const Clock& clock) {
    for (const Way& way : ways) way();
    std::vector<std::chrono::nanoseconds> least(ways.size(), std::chrono::nanoseconds::max());
    for (int round = 0; round < rounds; ++round)
        for (std::size_t i = 0; i < ways.size(); ++i) {
            const SteadyTime begin = clock();
            ways[i]();
            least[i] = std::min<std::chrono::nanoseconds>(least[i], clock() - begin);
        }
    return least;
}

}  // namespace opennd

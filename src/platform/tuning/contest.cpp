// SPDX-License-Identifier: MIT
// See contest.h.
#include "platform/tuning/contest.h"

#include <algorithm>

namespace opennd {

std::vector<std::chrono::nanoseconds> least_times(std::span<const Way> ways, int rounds, const Clock& clock) {
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

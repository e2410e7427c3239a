// SPDX-License-Identifier: MIT
// The number of places in the ring of a queue: none until the first request, one for it, and more as more requests wait at once, so
// that memory follows the requests that wait and not the depth that a program asked for (docs/decisions/0055). A power of two.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <new>
#include <string_view>

#include "base/log.h"

namespace opennd::soft {

inline constexpr std::uint32_t kPlacesGrowBy = 4;
// Fewer places grow as soon as more requests are in use, waiting or not: so few would send each post to the slow way.
inline constexpr std::uint32_t kPlacesToStayWith = 4;

// The places that follow `places`.
constexpr std::uint32_t more_places(std::uint32_t places, std::uint32_t depth) {
    return std::min(std::bit_ceil(std::max(depth, 1u)), std::max(kPlacesGrowBy * places, 1u));
}

// Calls `grow`. Returns false if it threw std::bad_alloc.
template <typename Grow>
bool grew(std::string_view queue, std::uint32_t depth, Grow&& grow) {
    try {
        grow();
        return true;
    } catch (const std::bad_alloc&) {
        log(LogLevel::error,
            "{} of depth {}: no memory for more requests that wait at once; the post is refused as if it "
            "were full. Take results and post again, or free memory",
            queue, depth);
        return false;
    }
}

}  // namespace opennd::soft

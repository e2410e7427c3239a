// SPDX-License-Identifier: MIT
// The times that the InfiniBand specification gives as codes: 4.096 us * 2^code.
#pragma once

#include <chrono>
#include <cstdint>

namespace opennd::verbs {

constexpr std::chrono::nanoseconds time_of_code(std::uint8_t code) {
    return std::chrono::nanoseconds(4096) * (std::int64_t{1} << code);
}

// Returns the code of the least time that is no less than `time`; 31, the greatest, if there is none.
constexpr std::uint8_t code_of_time(std::chrono::nanoseconds time) {
    std::uint8_t code = 1;  // 0 is without limit
    while (code < 31 && time_of_code(code) < time) ++code;
    return code;
}

}  // namespace opennd::verbs

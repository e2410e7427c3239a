// SPDX-License-Identifier: MIT
// The time of day at the beginning of a line, in the zone of this process.
#pragma once

#include <array>

namespace opennd {

enum class LineTime {
    with_date,      // "2026-02-03 04:05:06.123456"
    of_system_log,  // "Feb  3 04:05:06", in English
};

// Ends with a zero. Any thread; a fork waits for it, since the C library's zone has a lock that its children would find held.
std::array<char, 32> line_time(LineTime form) noexcept;

}  // namespace opennd

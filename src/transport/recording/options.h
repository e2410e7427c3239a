// SPDX-License-Identifier: MIT
// What of requests is recorded.
#pragma once

#include <cstdint>

namespace opennd::recording {

struct Options {
    bool latencies = false;
    std::uint32_t events = 0;  // the most of each queue that are kept; 0: none

    bool wanted() const { return latencies || events != 0; }
};

}  // namespace opennd::recording

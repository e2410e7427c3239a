// SPDX-License-Identifier: MIT
// The settings of the watching layer: the times and events of requests that it records.
#pragma once

#include <cstdint>

namespace opennd::watch {

struct Options {
    bool latencies = false;
    std::uint32_t events = 0;  // the most of each queue that are kept; 0: none

    bool wanted() const { return latencies || events != 0; }
};

}  // namespace opennd::watch

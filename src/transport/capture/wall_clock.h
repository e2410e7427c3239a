// SPDX-License-Identifier: MIT
// The time of day, for packets: other captures of the same host have it as well.
#pragma once

#include <chrono>

#include "transport/capture/pcapng.h"

namespace opennd::capture {

inline WallTime wall_time() {
    const auto since_1970 = std::chrono::system_clock::now().time_since_epoch();
    return static_cast<WallTime>(std::chrono::duration_cast<std::chrono::nanoseconds>(since_1970).count());
}

}  // namespace opennd::capture

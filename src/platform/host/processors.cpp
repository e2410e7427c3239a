// SPDX-License-Identifier: MIT
// See processors.h.
#include "platform/host/processors.h"

#include <sched.h>

namespace opennd {

std::uint64_t usable_processors() {
    cpu_set_t set;
    CPU_ZERO(&set);
    std::uint64_t mask = 0;
    // Fails on machines with more processors than the set holds; then all count as usable.
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        for (unsigned processor = 0; processor < 64; ++processor)
            if (CPU_ISSET(processor, &set)) mask |= std::uint64_t{1} << processor;
    return mask != 0 ? mask : ~std::uint64_t{0};
}

}  // namespace opennd

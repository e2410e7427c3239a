// SPDX-License-Identifier: MIT
// See processors.h.
#include "platform/host/processors.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>

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

std::size_t online_processors() { return static_cast<std::size_t>(std::max(::sysconf(_SC_NPROCESSORS_ONLN), 1l)); }

}  // namespace opennd

// SPDX-License-Identifier: MIT
//
// ContextSwitches of the calling thread: while both sides poll there are none but those another task forces.
#pragma once

#include <sys/resource.h>

#include <cstdint>

namespace nd {

struct ContextSwitches {
    std::int64_t voluntary = 0, involuntary = 0;

    static ContextSwitches so_far() {
        rusage usage = {};
        getrusage(RUSAGE_THREAD, &usage);
        return {usage.ru_nvcsw, usage.ru_nivcsw};
    }

    ContextSwitches operator-(const ContextSwitches& earlier) const {
        return {voluntary - earlier.voluntary, involuntary - earlier.involuntary};
    }
};

}  // namespace nd

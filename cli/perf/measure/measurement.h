// SPDX-License-Identifier: MIT
//
// Measurement: what one side saw of one point.
#pragma once

#include "perf/measure/context_switches.h"
#include "perf/measure/latency_samples.h"

#include <cstdint>

namespace nd {

struct Measurement {
    std::uint64_t iterations = 0;  // messages or operations of all queue pairs, this side's own
    double seconds = 0;
    double peak_per_second = 0;  // iterations that completed in the best 10 ms or so, or in a shorter run
    std::uint64_t verified = 0;  // messages or operations with checked bytes on this side
    bool interrupted = false;    // before all iterations, or before the time was over
    ContextSwitches switches;    // during the measured iterations
    LatencySummary latency;      // latency tests, at the client, unless sampling is off

    double per_second() const { return seconds > 0 ? static_cast<double>(iterations) / seconds : 0; }
};

}  // namespace nd

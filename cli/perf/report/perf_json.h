// SPDX-License-Identifier: MIT
//
// The results of `nd perf` as one JSON document.
#pragma once

#include "perf/run/perf_client.h"

#include <ostream>

namespace nd {

// `histograms`: each latency has its own.
void write_json(std::ostream& out, const PerfRun& run, bool histograms);

}  // namespace nd

// SPDX-License-Identifier: MIT
//
// The results of `nd perf` as a page: one file of HTML with SVG, without a script or a reference elsewhere.
#pragma once

#include "perf/run/perf_client.h"

#include <ostream>

namespace nd {

// `gigabits`: bandwidth in Gb/sec, else in MiB/sec.
void write_page(std::ostream& out, const PerfRun& run, bool gigabits);

}  // namespace nd

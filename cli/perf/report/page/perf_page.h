// SPDX-License-Identifier: MIT
//
// The results of `nd perf` as a page: one file of HTML with SVG, without a script or a reference elsewhere.
#pragma once

#include "perf/run/perf_client.h"

#include <ostream>
#include <vector>

namespace nd {

// `gigabits`: bandwidth in Gb/sec, else in MiB/sec.
void write_page(std::ostream& out, const std::vector<PointOutcome>& outcomes, bool gigabits);

}  // namespace nd

// SPDX-License-Identifier: MIT
//
// The results of `nd perf` as comma-separated values (RFC 4180).
#pragma once

#include "perf/run/perf_client.h"

#include <ostream>

namespace nd {

// The first line has the names of the columns, with their unit. A figure that a test does not have is empty. `interrupted` is yes
// where an interruption ended the point early.
void write_csv(std::ostream& out, const PerfRun& run);

}  // namespace nd

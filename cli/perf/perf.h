// SPDX-License-Identifier: MIT
//
// `nd perf`: which side, or both, and what becomes of the results.
#pragma once

#include "perf/plan/perf_options.h"

namespace nd {

// Exit code.
int run_perf(const PerfOptions& options);

}  // namespace nd

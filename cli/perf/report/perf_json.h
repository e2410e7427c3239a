// SPDX-License-Identifier: MIT
//
// The results of `nd perf` as one JSON document.
#pragma once

#include "perf/run/perf_client.h"

#include <string>
#include <vector>

namespace nd {

// To a file, or to standard output if it is called "-". Throws std::runtime_error.
void write_json(const std::string& file, const std::vector<PointOutcome>& outcomes);

}  // namespace nd

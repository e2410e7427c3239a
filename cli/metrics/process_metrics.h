// SPDX-License-Identifier: MIT
//
// The metrics of the processes that use OpenND: docs/metrics.md lists them.
#pragma once

#include <string>
#include <vector>

#include "inspect/processes.h"

namespace nd {

// Asks all processes, and gives their metrics in Prometheus' text format. Takes some seconds where one does not answer. Throws NdError
// where they cannot be listed.
std::string process_metrics();

// The metrics of these answers, which came within `seconds`. The processes' words are not trusted: labels are short, and their values few.
std::string metrics_text(const std::vector<ProcessAnswer>& answers, double seconds);

}  // namespace nd

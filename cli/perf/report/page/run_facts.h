// SPDX-License-Identifier: MIT
//
// What a page says of its run before the figures: the command line, the machine, the link.
#pragma once

#include "perf/run/perf_client.h"

#include <string>
#include <vector>

namespace nd {

struct RunFact {
    const char* name;
    std::string text;
};

// Those that are known, of this process and this host now.
std::vector<RunFact> facts_of(const PerfRun& run);

}  // namespace nd

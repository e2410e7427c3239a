// SPDX-License-Identifier: MIT
//
// `nd stats`: the counters of running processes, and their rates.
#pragma once

#include "usage/json_output.h"

namespace CLI {
class App;
}

namespace nd {

struct StatsOptions : JsonOptions {
    unsigned pid = 0;     // 0: all processes
    double interval = 0;  // seconds; 0: totals once
    unsigned count = 0;   // of intervals; 0: until interrupted
};

void define_stats_options(CLI::App& command, StatsOptions& options);

// Exit code. Throws std::runtime_error where the process that was named does not answer.
int run_stats(const StatsOptions& options);

}  // namespace nd

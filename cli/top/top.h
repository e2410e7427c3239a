// SPDX-License-Identifier: MIT
//
// `nd top`: the processes of this host that transfer most, anew every second.
#pragma once

#include "usage/json_output.h"

namespace CLI {
class App;
}

#include <string>

namespace nd {

struct TopOptions : JsonOptions {
    double interval = 1;  // seconds
    unsigned count = 0;   // of intervals; 0: until interrupted
    std::string sort = "bytes";
    bool batch = false;
};

void define_top_options(CLI::App& command, TopOptions& options);

// Exit code. Throws std::runtime_error where standard output is no terminal that can be drawn on.
int run_top(const TopOptions& options);

}  // namespace nd

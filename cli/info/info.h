// SPDX-License-Identifier: MIT
//
// `nd info`: the adapters of this host, their limits, and the transport a peer would get.
#pragma once

#include "usage/json_output.h"

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace nd {

struct InfoOptions : JsonOptions {
    bool verbose = false, counters = false, tuning = false, settings = false, profiles = false;
    std::vector<std::string> adapters;  // names or addresses; none: all
    std::string peer;
    std::string transport;
};

void define_info_options(CLI::App& command, InfoOptions& options);

// Exit code.
int run_info(const InfoOptions& options);

}  // namespace nd

// SPDX-License-Identifier: MIT
//
// `nd faults`: explains the lines of OPENND_FAULTS, and checks one.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace nd {

struct FaultsOptions {
    std::string line;
};

void define_faults_options(CLI::App& command, FaultsOptions& options);

int run_faults(const FaultsOptions& options);

}  // namespace nd

// SPDX-License-Identifier: MIT
//
// `nd dump`: the last events of a running process, a line each.
#pragma once

#include "usage/json_output.h"

namespace CLI {
class App;
}

namespace nd {

struct DumpOptions : JsonOptions {
    unsigned pid = 0;
};

void define_dump_options(CLI::App& command, DumpOptions& options);

int run_dump(const DumpOptions& options);

}  // namespace nd

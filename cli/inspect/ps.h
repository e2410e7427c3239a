// SPDX-License-Identifier: MIT
//
// `nd ps`: the processes of this host that use OpenND, a line each.
#pragma once

#include "usage/json_output.h"

namespace CLI {
class App;
}

namespace nd {

struct PsOptions : JsonOptions {};

void define_ps_options(CLI::App& command, PsOptions& options);

// Exit code.
int run_ps(const PsOptions& options);

}  // namespace nd

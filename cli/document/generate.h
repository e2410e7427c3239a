// SPDX-License-Identifier: MIT
//
// `nd generate`, which is in no help: documents for the build, the suite and the repository.
#pragma once

#include "command_line.h"

namespace nd {

void add_generate_command(CLI::App& app, const Action& action);

}  // namespace nd

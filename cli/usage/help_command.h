// SPDX-License-Identifier: MIT
//
// `nd help` and `nd version`: words that people try before the options.
#pragma once

#include "command_line.h"

namespace nd {

void add_help_command(CLI::App& app, const Action& action);
void add_version_command(CLI::App& app, const Action& action);

}  // namespace nd

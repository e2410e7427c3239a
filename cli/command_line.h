// SPDX-License-Identifier: MIT
//
// The command line of `nd`, defined once: main runs it, and man page and completion are written from it.
#pragma once

#include <CLI/CLI.hpp>

#include <functional>
#include <memory>

namespace nd {

// The command of the parsed words; returns the exit code. Empty before parsing.
using Action = std::shared_ptr<std::function<int()>>;

struct CommandLine {
    std::unique_ptr<CLI::App> app;
    Action action;
};

CommandLine make_command_line();

}  // namespace nd

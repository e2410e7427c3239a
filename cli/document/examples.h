// SPDX-License-Identifier: MIT
//
// Command lines that --help and the manual pages show. The suite parses each of them.
#pragma once

#include <CLI/CLI.hpp>

#include <span>
#include <vector>

namespace nd {

struct Example {
    const char* command;  // of nd
    std::string words;    // behind "nd"
    const char* meaning;
};

std::span<const Example> examples();

// The examples of a command; of nd itself none.
std::vector<Example> examples_of(const CLI::App& command);

}  // namespace nd

// SPDX-License-Identifier: MIT
//
// The complaint about a command line that could not be understood.
#pragma once

#include <CLI/CLI.hpp>

#include <span>
#include <string>

namespace nd {

// Names the wrong word and the nearest right one, and options as the user did. `error` came from app.parse() of these words, and is
// no request for help.
std::string complaint_about(const CLI::App& app, const CLI::ParseError& error, std::span<char* const> words);

}  // namespace nd

// SPDX-License-Identifier: MIT
//
// The complaint about a command line that could not be understood.
#pragma once

#include <CLI/CLI.hpp>

#include <string>

namespace nd {

// Names the wrong word and the nearest right one. `error` came from app.parse(), and is no request for help.
std::string complaint_about(const CLI::App& app, const CLI::ParseError& error);

}  // namespace nd

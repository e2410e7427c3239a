// SPDX-License-Identifier: MIT
//
// The check of an option with a fixed set of values. Help, man pages and completions read the set from it (document.h).
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace nd {

// One of the words. A wrong one is answered with all of them, and with the nearest.
CLI::Validator one_of(std::vector<std::string> words);

// Some of them, with commas in between; each may have '^' in front.
CLI::Validator list_of(std::vector<std::string> words);

}  // namespace nd

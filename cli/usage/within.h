// SPDX-License-Identifier: MIT
//
// The check of an option that is a number between two limits.
#pragma once

#include <CLI/CLI.hpp>

namespace nd {

// A wrong number is answered with both limits.
CLI::Validator within(double lowest, double highest);

}  // namespace nd

// SPDX-License-Identifier: MIT
// The environment of this process: read here alone (src/README.md).
#pragma once

#include <functional>
#include <string_view>
#include <vector>

namespace opennd {

// The value of a variable, or null. The value is valid until the environment changes.
using Environment = std::function<const char*(const char* variable)>;

// This process's. A program with more rights than its caller (set-uid, file capabilities) has none: the caller wrote the
// environment.
const char* environment_value(const char* variable);

// The names of its variables that begin with `prefix`.
std::vector<std::string_view> environment_names(std::string_view prefix);

}  // namespace opennd

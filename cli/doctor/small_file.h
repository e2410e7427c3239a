// SPDX-License-Identifier: MIT
//
// The first line of a small file, such as those of /proc and /sys.
#pragma once

#include <optional>
#include <string>

namespace nd {

// The first line of a file; nothing: it cannot be read.
std::optional<std::string> first_line(const std::string& path);

}  // namespace nd

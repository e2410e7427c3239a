// SPDX-License-Identifier: MIT
// An argument of the program in wide text.
#pragma once

#include <string>

namespace opennd::windows {

// Read in the encoding that the environment names, or as UTF-8.
std::wstring wide_argument(const std::string& text);

}  // namespace opennd::windows

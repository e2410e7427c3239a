// SPDX-License-Identifier: MIT
//
// Words about what went wrong, on standard error.
#pragma once

#include <string_view>

namespace nd {

// Prints the lines of a complaint. On a terminal a line that 80 columns do not show whole is broken at blanks, its rest behind two
// blanks more than its beginning; elsewhere lines stay as they are.
void print_complaint(std::string_view text);

}  // namespace nd

// SPDX-License-Identifier: MIT
//
// Standard output where it is a terminal: its width, and colours.
#pragma once

#include <cstddef>
#include <string>

namespace nd {

// The columns of the terminal now; no limit where standard output is a file or a pipe.
std::size_t output_columns();

enum class Style { plain, heading, good, note, problem };

// The text in this style, if standard output is a terminal with colours and the environment has no NO_COLOR; else as it is.
std::string styled(Style style, const std::string& text);

}  // namespace nd

// SPDX-License-Identifier: MIT
//
// Text in lines that a terminal of 80 columns shows whole.
#pragma once

#include "text/output_terminal.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace nd {

inline constexpr std::size_t kColumns = 80;

// Broken at blanks, and where the text itself breaks a line. A word that is longer than `columns` stands whole on a line of its own.
std::vector<std::string> wrapped(std::string_view text, std::size_t columns);

// The wrapped lines in one text, with line breaks.
std::string wrapped_lines(std::string_view text, std::size_t columns = kColumns);

// Prints the text behind `label`, which has the style, and its further lines behind as many blanks.
void print_wrapped(const std::string& label, std::string_view text, Style style = Style::plain);

// Prints a text behind two blanks and a label of 28 columns.
void print_fact(const char* label, std::string_view text);

}  // namespace nd

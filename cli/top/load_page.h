// SPDX-License-Identifier: MIT
//
// The page of `nd top`: a line of sums, then the table of processes.
#pragma once

#include "top/process_load.h"

#include <string>
#include <vector>

namespace nd {

// The table's headings are the line kHeadingLine. `refused` processes gave no answer.
inline constexpr std::size_t kHeadingLine = 2;
std::vector<std::string> load_page(const std::vector<ProcessLoad>& loads, std::size_t refused, const LoadOrder& order,
                                   const std::string& time);

}  // namespace nd

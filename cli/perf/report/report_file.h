// SPDX-License-Identifier: MIT
//
// A file, or standard output, that a report is written to.
#pragma once

#include <functional>
#include <ostream>
#include <string>
#include <string_view>

namespace nd {

inline constexpr std::string_view kStandardOutput = "-";

// Throws std::runtime_error for a file that cannot be made or written. A write error of standard output is main's to tell.
void write_report(const std::string& file, const std::function<void(std::ostream&)>& write);

// Fails as write_report() would, before anything is measured in vain. A file that was not there is not there afterwards.
void check_report_file(const std::string& file);

}  // namespace nd

// SPDX-License-Identifier: MIT
//
// The time of day in UTC.
#pragma once

#include <string>

namespace nd {

// Now, by a format of strftime.
std::string utc_time(const char* format);

}  // namespace nd

// SPDX-License-Identifier: MIT
//
// Read utc_time.h first.
#include "inspect/utc_time.h"

#include <ctime>

namespace nd {

std::string utc_time(const char* format) {
    const std::time_t now = std::time(nullptr);
    std::tm parts = {};
    gmtime_r(&now, &parts);
    char text[64] = "";
    std::strftime(text, sizeof text, format, &parts);
    return text;
}

}  // namespace nd

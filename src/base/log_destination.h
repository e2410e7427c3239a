// SPDX-License-Identifier: MIT
// Where the lines of the log go that no program's function takes (platform/descriptor/log_destination.h has those that there are).
#pragma once

#include <string_view>

namespace opennd {

enum class LogLevel : int;

// Any thread.
class LogDestination {
public:
    virtual ~LogDestination() = default;
    // Waits for nobody. False: the place has no room for the line now, or cannot be written.
    [[nodiscard]] virtual bool write(LogLevel level, std::string_view line) = 0;
};

}  // namespace opennd

// SPDX-License-Identifier: MIT
// Where the lines of the log go that no program's function takes: standard error, the system's log, or a file.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/log.h"

namespace opennd {

// Not thread-safe.
class LogDestination {
public:
    virtual ~LogDestination() = default;
    virtual void write(LogLevel level, std::string_view line) = 0;
};

// "stderr"; "syslog", which the journal reads as well; or the absolute path of a file, to whose end each line goes at once; folders on the way are made. A line there and
// on standard error begins with date and time, process, thread and level. Standard error instead of a place that cannot be had, with a line
// that says so. Throws std::bad_alloc.
std::unique_ptr<LogDestination> make_log_destination(std::string_view place);

}  // namespace opennd

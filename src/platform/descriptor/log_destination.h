// SPDX-License-Identifier: MIT
// Where the lines of the log go that no program's function takes: standard error, the system's log, or a file. No write waits for
// a reader there (docs/decisions/0078).
#pragma once

#include <memory>
#include <string_view>

#include "base/log.h"

namespace opennd {

// "stderr"; "syslog", which the journal reads as well; or the absolute path of a file, to whose end each line goes at once; folders on the
// way are made. A new file is readable by this user alone; one that is there has to be a regular file of this user, with no other name, and
// no symbolic link. A line there and on standard error tells date and time, process, thread and level; json: in UTC, as an object with the members time,
// pid, tid, level and message. Standard error instead of a place that cannot be had, with a line that says so. Throws std::bad_alloc.
std::unique_ptr<LogDestination> make_log_destination(std::string_view place, LogForm form);

}  // namespace opennd

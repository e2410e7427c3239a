// SPDX-License-Identifier: MIT
// See state_machine.h.
#include "base/state_machine.h"

#include <cassert>

#include "base/log.h"

namespace opennd {

void log_change(std::string_view table, const void* machine, std::string_view state, std::string_view event,
                std::string_view next) {
    log(LogLevel::debug, "{} {}: event {} in state {} leads to state {}", table, machine, event, state, next);
}

void report_missing_row(std::string_view table, std::string_view state, std::string_view event) {
    log(LogLevel::error, "{}: event {} in state {} is in no row of the table; please report this fault of OpenND",
        table, event, state);
    assert(!"an event that the table of states does not allow");
}

}  // namespace opennd

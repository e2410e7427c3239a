// SPDX-License-Identifier: MIT
// The last events of this process, as JSON, whose members docs/inspection.md lists, or as text.
#pragma once

#include <string>

namespace opennd {

// Any thread, without locks. Throws std::bad_alloc.
std::string event_report();

// The same as `nd dump` prints them: a line each, with time and thread.
std::string event_text();

}  // namespace opennd

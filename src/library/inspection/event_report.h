// SPDX-License-Identifier: MIT
// The last events of this process, as JSON: docs/inspection.md lists the members.
#pragma once

#include <string>

namespace opennd {

// Any thread, without locks. Throws std::bad_alloc.
std::string event_report();

}  // namespace opennd

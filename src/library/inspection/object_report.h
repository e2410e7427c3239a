// SPDX-License-Identifier: MIT
// The queues and the memory of this process at one interface, as JSON: docs/inspection.md lists the members.
#pragma once

#include "core/adapter/activity.h"
#include "library/inspection/standing_requests.h"
#include "library/json/json.h"
#include "platform/process/clock.h"

namespace opennd {

// Adds them to `interface`. `standing`: of the looks before; `look`: when this one began. Any thread, without locks. Throws
// std::bad_alloc.
void report_objects(Activity& activity, StandingRequests& standing, SteadyTime look, ordered_json& interface);

}  // namespace opennd

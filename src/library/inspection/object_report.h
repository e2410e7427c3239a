// SPDX-License-Identifier: MIT
// The queues and the memory of this process at one interface, as JSON: docs/inspection.md lists the members.
#pragma once

#include <nlohmann/json.hpp>

#include "core/adapter/activity.h"

namespace opennd {

// Adds them to `interface`. Any thread, without locks. Throws std::bad_alloc.
void report_objects(Activity& activity, nlohmann::ordered_json& interface);

}  // namespace opennd

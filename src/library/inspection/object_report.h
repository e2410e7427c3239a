// SPDX-License-Identifier: MIT
// The queues and the memory of this process at one interface, as JSON: docs/inspection.md lists the members.
#pragma once

#include <chrono>
#include <cstdint>

#include "core/adapter/activity.h"
#include "library/inspection/standing_requests.h"
#include "library/json/json.h"
#include "model/face.h"
#include "platform/process/clock.h"

namespace opennd {

// Adds them to `interface`. `standing`: of the looks before; `look`: when this one began. Any thread, without locks. Throws
// std::bad_alloc.
void report_objects(Activity& activity, StandingRequests& standing, SteadyTime look, ordered_json& interface);

// NDK-STAT-12.
inline const char* owner_of(Face face) { return face == Face::ndk ? "kernel" : "user"; }

inline std::int64_t milliseconds_of(std::chrono::nanoseconds time) {
    return std::chrono::duration_cast<std::chrono::milliseconds>(time).count();
}

}  // namespace opennd

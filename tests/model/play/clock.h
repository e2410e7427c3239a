// SPDX-License-Identifier: MIT
//
// The clock of events, and the patience of a side.
#pragma once

#include <chrono>
#include <cstdint>

namespace opennd::modeled {

std::int64_t now_ns();  // the same for all processes of a host; a later event has a later time

std::chrono::milliseconds patience();  // for an event that must come

inline std::int64_t patience_ns() { return std::chrono::nanoseconds(patience()).count(); }

}  // namespace opennd::modeled

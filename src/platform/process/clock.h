// SPDX-License-Identifier: MIT
// The one clock: monotonic, not stopped by changes of the wall clock. Deadlines are points in time, never durations, so
// that interrupted waits need no arithmetic.
#pragma once

#include <chrono>

namespace opennd {

using SteadyTime = std::chrono::steady_clock::time_point;

// CLOCK_MONOTONIC, nanoseconds. Any thread.
inline SteadyTime now() { return std::chrono::steady_clock::now(); }

}  // namespace opennd

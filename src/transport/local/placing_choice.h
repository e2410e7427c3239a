// SPDX-License-Identifier: MIT
// Chooses whether a long Send out of private memory is placed by its sender, in one copy by the kernel, or streamed in two copies
// at once: by a setting, or by times taken once a process.
#pragma once

#include <chrono>
#include <string>

#include "platform/tuning/choice.h"
#include "platform/tuning/contest.h"

namespace opennd::local {

// The times of one copy of 64 KiB within this process, by the kernel and by copy_longer(). by_kernel is
// nanoseconds::max() where the kernel refuses it.
struct PlacingTimes {
    std::chrono::nanoseconds by_kernel, by_process;
};
// Takes the times, in some hundred microseconds. Throws std::bad_alloc.
PlacingTimes time_placing(const Clock& clock);

// Two ends that stream take together as long as three such copies by one of them, or longer: measured 2.6 on one
// processor and 4 on another (docs/decisions/0045).
inline constexpr int kStreamingCopies = 3;

struct PlacingChoice {
    bool placed;
    Ground ground;
    std::string reason;
};
PlacingChoice choice_by_times(const PlacingTimes& times);

// The choice of this process; the first call makes it. Throws std::bad_alloc. Any thread.
const PlacingChoice& placing_choice();
// Makes the choice of this process. No effect if it is made.
void pin_placing(bool placed);

// Returns the choice in the form in which it is shown.
Choice shown(const PlacingChoice& choice);

}  // namespace opennd::local

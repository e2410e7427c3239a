// SPDX-License-Identifier: MIT
// Chooses the ways of long copies: by a setting, or by times taken once a process.
#pragma once

#include <array>
#include <chrono>
#include <string>

#include "platform/memory/long_copy.h"
#include "platform/tuning/choice.h"
#include "platform/tuning/contest.h"

namespace opennd {

// What one copy takes by each way, in the order of CopyWay. A way that this processor lacks: nanoseconds::max().
using CopyTimes = std::array<std::chrono::nanoseconds, kCopyWays>;
struct CopyContest {
    CopyTimes apart, behind;
};
// Copies of 64 KiB between buffers of its own, some hundred microseconds in all. Throws std::bad_alloc.
CopyContest time_copies(const Clock& clock);

// The quickest: each way must beat those before it by a sixteenth, so that equals are chosen alike in every process.
CopyWay quickest_copy(const CopyTimes& times);

struct CopyChoice {
    CopyWays ways;
    Ground ground;
    std::string reason;
};
CopyChoice choice_by_times(const CopyContest& contest);

// The choice of this process; the first call makes it, and all long copies follow it from then on. Throws std::bad_alloc.
// Any thread.
const CopyChoice& copy_choice();
// Makes it: all long copies go this way, or by memcpy where the processor lacks it. Without effect if it is made.
void pin_copies(CopyWay way);

// The choice as `nd info --tuning` shows it.
Choice shown(const CopyChoice& choice);

}  // namespace opennd

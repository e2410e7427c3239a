// SPDX-License-Identifier: MIT
//
// How many iterations a loop does between two looks at the clock: long against the look, short against a run.
#pragma once

#include "perf/plan/point_plan.h"

#include <cstddef>
#include <cstdint>

namespace nd {

constexpr std::uint64_t kLargeSize = 64 << 10;
constexpr std::uint64_t kLongSize = 1 << 20;  // a look at the clock is nothing against one operation

constexpr std::uint64_t latency_batch(const PointPlan& plan) {
    return plan.size < kLargeSize ? 100 : plan.size < kLongSize ? 4 : 1;
}

// The batch of a stream: whole rounds of signalled requests, because the last of a batch asks for a result.
constexpr std::uint64_t stream_batch(const PointPlan& plan) {
    const std::uint64_t least = plan.size < 4096 ? 1024 : plan.depth;
    return (least + plan.moderation - 1) / plan.moderation * plan.moderation;
}

// Cold: throws std::runtime_error.
[[noreturn]] void throw_wrong_length(std::size_t received, std::size_t expected);

}  // namespace nd

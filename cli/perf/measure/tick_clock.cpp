// SPDX-License-Identifier: MIT
//
// Read tick_clock.h first.
#include "perf/measure/tick_clock.h"

#include <chrono>

namespace nd {
namespace {

double measure_seconds_per_tick() {
    using Clock = std::chrono::steady_clock;
    constexpr std::chrono::milliseconds kSpan(20);  // the two reads are some 50 ns apart: 3 parts in a million
    const Clock::time_point start = Clock::now();
    const std::uint64_t start_ticks = ticks_now();
    Clock::time_point end = start;
    while (end - start < kSpan) end = Clock::now();
    const std::uint64_t end_ticks = ticks_now();
    return std::chrono::duration<double>(end - start).count() / static_cast<double>(end_ticks - start_ticks);
}

}  // namespace

double seconds_per_tick() {
    static const double kSecondsPerTick = measure_seconds_per_tick();
    return kSecondsPerTick;
}

}  // namespace nd

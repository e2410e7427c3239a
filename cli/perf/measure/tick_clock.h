// SPDX-License-Identifier: MIT
//
// The processor's own counter: reading it costs a few nanoseconds, where clock_gettime costs a third of the shortest
// message. tick_clock.cpp finds out how long a tick is.
#pragma once

#include <cstdint>
#if defined(__x86_64__)
#include <x86intrin.h>
#elif !defined(__aarch64__)
#include <chrono>
#endif

namespace nd {

inline std::uint64_t ticks_now() {
#if defined(__x86_64__)
    return __rdtsc();
#elif defined(__aarch64__)
    std::uint64_t ticks;
    asm volatile("mrs %0, cntvct_el0" : "=r"(ticks));
    return ticks;
#else
    return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
#endif
}

// Measured once in a process, which takes some 20 ms; call it before anything is timed.
double seconds_per_tick();

}  // namespace nd

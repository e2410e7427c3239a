// SPDX-License-Identifier: MIT
// A time limit of the kernel as a point in time: units of 100 ns, NULL never, negative from now, positive since 1601.
#pragma once

#include "kernel/clock.h"
#include "windows/sync/deadline.h"

namespace opennd::wdm {

inline windows::Deadline time_limit(const LARGE_INTEGER* timeout) {
    if (timeout == nullptr) return windows::Deadline(INFINITE);
    LONGLONG units = -timeout->QuadPart;
    if (timeout->QuadPart > 0) {
        LARGE_INTEGER now;
        KeQuerySystemTime(&now);
        units = timeout->QuadPart - now.QuadPart;
    }
    constexpr LONGLONG kLongest = 3'000LL * 86'400 * 10'000'000;  // about eight years
    if (units > kLongest) return windows::Deadline(INFINITE);
    using Units = std::chrono::duration<LONGLONG, std::ratio<1, 10'000'000>>;
    return windows::Deadline(windows::Deadline::Clock::now() + Units(units > 0 ? units : 0));
}

}  // namespace opennd::wdm

// SPDX-License-Identifier: MIT
// A time limit of Win32, in milliseconds with INFINITE, as a point in time.
#pragma once

#include <chrono>
#include <optional>

#include "win32/types.h"

namespace opennd::windows {

class Deadline {
public:
    using Clock = std::chrono::steady_clock;  // CLOCK_MONOTONIC

    explicit Deadline(Clock::time_point at) : at_(at) {}
    explicit Deadline(DWORD milliseconds) {
        if (milliseconds != INFINITE) at_ = Clock::now() + std::chrono::milliseconds(milliseconds);
    }

    // nullopt: never.
    std::optional<Clock::time_point> at() const { return at_; }

    // The timeout for poll(): rounded up, so that it does not wake too early; -1: no limit.
    int poll_timeout() const {
        if (!at_) return -1;
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(*at_ - Clock::now()).count();
        constexpr long kLongest = 1'000'000'000;  // about 11 days; the caller looks again
        return static_cast<int>(left < 0 ? 0 : left > kLongest ? kLongest : left);
    }

    bool has_passed() const { return at_ && Clock::now() >= *at_; }

private:
    std::optional<Clock::time_point> at_;
};

}  // namespace opennd::windows

// SPDX-License-Identifier: MIT
// How callbacks of a completion queue are held back (NDK-CQ-MOD-01 to -04). A plain value.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <optional>

#include "ndkpi.h"
#include "platform/process/clock.h"

namespace opennd {

class Moderation {
public:
    static constexpr ULONG kUnlimited = 0xFFFFFFFF;
    static constexpr std::chrono::seconds kLongest{10};  // NDK-CQ-MOD-03

    Moderation() = default;  // off

    // Nothing if neither of the two limits the wait, in a queue of that depth.
    static std::optional<Moderation> from(ULONG interval_us, ULONG count, ULONG depth) {
        const bool any_count = count == kUnlimited || count > depth;
        if (interval_us == kUnlimited && any_count) return std::nullopt;
        Moderation made;
        if (interval_us == 0 || count <= 1) return made;
        if (interval_us != kUnlimited)
            made.interval_ = std::min<std::chrono::microseconds>(std::chrono::microseconds(interval_us), kLongest);
        if (!any_count) made.count_ = count;
        return made;
    }

    bool off() const { return !interval_ && !count_; }
    bool counts() const { return count_.has_value(); }
    const std::optional<std::chrono::microseconds>& interval() const { return interval_; }
    const std::optional<ULONG>& count() const { return count_; }

    // Whether the callback is due, for the results that have waited since `began`. Failed results are not held back
    // (NDK-CQ-MOD-04), nor are solicited ones, because `solicited` counts both.
    bool due(std::size_t waiting, std::size_t solicited, SteadyTime began, SteadyTime at) const {
        if (off() || solicited != 0) return true;
        return (count_ && waiting >= *count_) || (interval_ && at >= began + *interval_);
    }

    // When it is due at the latest; nothing: the count alone decides.
    std::optional<SteadyTime> deadline(SteadyTime began) const {
        return interval_ ? std::optional(began + *interval_) : std::nullopt;
    }

private:
    std::optional<std::chrono::microseconds> interval_;
    std::optional<ULONG> count_;
};

}  // namespace opennd

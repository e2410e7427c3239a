// SPDX-License-Identifier: MIT
// How many lines of one kind the log takes: some at once, then one more for each second that passed. A line that finds
// no room is counted, and the next one that finds room carries the count. For lines that another host can cause without
// end.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

namespace opennd {

// Not thread-safe: one thread at a time calls it.
class LineBudget {
public:
    using Time = std::chrono::steady_clock::time_point;

    static constexpr std::uint32_t kAtOnce = 20;
    static constexpr std::chrono::seconds kEach{1};

    // How many lines were left out before this one; nothing: this one is, too.
    std::optional<std::uint64_t> take(Time at);

private:
    std::uint32_t room_ = kAtOnce;
    Time filled_{};  // while room_ < kAtOnce: up to when time has become room
    std::uint64_t left_out_ = 0;
};

}  // namespace opennd

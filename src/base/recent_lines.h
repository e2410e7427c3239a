// SPDX-License-Identifier: MIT
// The last lines about connections and failures, kept in memory at every level of the log. People look into the process for them.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace opennd {

enum class LogLevel : int;

struct RecentLine {
    std::chrono::system_clock::time_point at;
    int thread;  // the system's number
    LogLevel level;
    std::string text;
};

// Thread-safe.
class RecentLines {
public:
    using Time = std::chrono::steady_clock::time_point;

    // The most lines in memory, and in one second. A call that fails in a loop costs little more than without this.
    static constexpr std::size_t kMost = 256;
    static constexpr std::size_t kMostBytes = 512;  // of a line; the rest is cut

    // Whether there is room for one more line in this second.
    bool has_room(Time at) const;
    // Takes the room that keep() needs. False: there is none, and the line counts as left out.
    [[nodiscard]] bool take_room(Time at);
    // The oldest line goes if there are kMost. A line tells how many were left out before this one. Throws std::bad_alloc.
    void keep(LogLevel level, std::string_view text);
    // The oldest first. Throws std::bad_alloc.
    std::vector<RecentLine> all() const;

private:
    void append(LogLevel level, std::string text);

    mutable std::mutex mutex_;  // nothing is called under it
    Time second_{};             // began then
    std::size_t in_second_ = 0;
    std::uint64_t left_out_ = 0;  // since the newest line
    std::deque<RecentLine> lines_;
};

}  // namespace opennd

// SPDX-License-Identifier: MIT
// What happened in a run: every step goes into a hash, and the newest can be printed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace opennd::simulation {

enum class Step : std::uint8_t {
    thread_starts,
    thread_ends,
    runs,
    lock,
    unlock,
    sleeps,
    woken,
    times_out,
    yields,
    is_held_up,
    is_interrupted,
    opens,
    closes,
    connects,
    accepts,
    sends,
    takes,
    arrives,
    acknowledged,
    segment_lost,
    end_arrives,
    reset_arrives,
    gives_up,
    polls,
    rings,
    nemesis,
    dies,
    says,
    program,
};

// Numbers and texts must not depend on addresses, or no two runs are alike.
class Trace {
public:
    void add(std::int64_t time, std::uint32_t thread, Step step, std::uint64_t a = 0, std::uint64_t b = 0) {
        mix(static_cast<std::uint64_t>(time));
        mix(std::uint64_t{thread} << 8 | static_cast<std::uint64_t>(step));
        mix(a);
        mix(b);
        ++steps_;
        Entry& entry = newest_[steps_ % newest_.size()];
        entry = {time, a, b, thread, step, {}};
    }
    void say(std::int64_t time, std::uint32_t thread, std::string_view text);

    std::uint64_t hash() const { return hash_; }
    std::uint64_t steps() const { return steps_; }
    // Keeps and prints as many of the newest steps.
    void keep(std::size_t steps) { newest_.resize(steps); }
    void print(std::FILE* to, const std::vector<std::string>& thread_names) const;

private:
    struct Entry {
        std::int64_t time = 0;
        std::uint64_t a = 0, b = 0;
        std::uint32_t thread = 0;
        Step step = Step::runs;
        std::string text;
    };
    void mix(std::uint64_t value) { hash_ = (hash_ ^ value) * 0x9FB21C651E98DF25 + (hash_ >> 29); }

    std::uint64_t hash_ = 0xCBF29CE484222325;
    std::uint64_t steps_ = 0;
    std::vector<Entry> newest_ = std::vector<Entry>(16);
};

}  // namespace opennd::simulation

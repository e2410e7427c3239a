// SPDX-License-Identifier: MIT
//
// LatencySamples: the time of each iteration, and what the tables say about them.
#pragma once

#include "perf/measure/tick_clock.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace nd {

// Samples above from_us, of the first bin from it on, and up to to_us.
struct LatencyBin {
    double from_us, to_us;
    std::uint64_t count;
};

struct LatencySummary {
    std::vector<LatencyBin> histogram;  // each as many times as long as the one before; empty without samples
    double min_us = 0, max_us = 0, p50_us = 0, average_us = 0, deviation_us = 0, p99_us = 0, p999_us = 0;
    std::vector<double> times_us;  // those of the iterations, in their order; empty unless asked for
};

class LatencySamples {
public:
    // The memory is touched here, not in the loop. Of longer runs the last kCapacity samples are kept.
    explicit LatencySamples(bool keep) : ticks_(keep ? kCapacity : 0) {}

    void start() { last_ = ticks_now(); }

    void add() {
        const std::uint64_t now = ticks_now();
        add_ticks(now - last_);
        last_ = now;
    }

    void add_ticks(std::uint64_t ticks) { ticks_[count_++ % kCapacity] = ticks; }

    bool empty() const { return count_ == 0; }

    // parts: 2 where a sample is a round trip and half of it is the latency. every_time: with times_us.
    LatencySummary summary(double parts, bool every_time) const;

private:
    static constexpr std::size_t kCapacity = std::size_t{1} << 20;

    std::vector<std::uint64_t> ticks_;
    std::uint64_t count_ = 0, last_ = 0;
};

}  // namespace nd

// SPDX-License-Identifier: MIT
//
// How quickly counters grow from one sample of the processes to the next.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>

#include "inspect/interface_counters.h"

namespace nd {

// Not thread-safe.
class CounterRates {
public:
    using Time = std::chrono::steady_clock::time_point;

    // Takes a counter of this sample. Per second since the last sample; nothing where that had no such counter, or a greater value:
    // another process has the number.
    std::optional<double> add(unsigned pid, std::uint64_t interface, const NamedCounter& counter, Time when);

    // How long the rates of this process cover: since its last sample. Nothing where that did not have the process.
    std::optional<double> seconds(unsigned pid, Time when) const;

    // The next sample begins. Counters that this one did not take are forgotten.
    void end_sample();

private:
    using Key = std::tuple<unsigned, std::uint64_t, std::string, std::string>;
    struct Point {
        std::uint64_t value;
        Time when;
    };
    std::map<Key, Point> before_;
    std::map<Key, Point> now_;
};

}  // namespace nd

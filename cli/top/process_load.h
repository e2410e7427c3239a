// SPDX-License-Identifier: MIT
//
// How much one process transfers now, over all its interfaces.
#pragma once

#include "inspect/counter_rates.h"
#include "inspect/processes.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nd {

// Rates are per second since the last sample; none for a process that it did not have. Traffic includes the wire's framing.
struct ProcessLoad {
    unsigned pid = 0;
    std::uint64_t user = 0;
    std::string program;
    std::string wires;  // that carried something since the last sample, as "shm,iwarp"
    std::uint64_t connections = 0;
    std::uint64_t lost = 0;         // connections, since the process began
    std::optional<double> seconds;  // that the rates cover
    std::optional<double> bytes_in, bytes_out, frames_in, frames_out, new_connections;
};

// Takes a sample. `rates` has the last one.
std::vector<ProcessLoad> loads_of(const std::vector<ProcessAnswer>& answers, CounterRates& rates);

// An order of loads, the greatest first, but processes by their number.
struct LoadOrder {
    char key;  // on the keyboard
    std::string_view word;
    bool (*before)(const ProcessLoad& a, const ProcessLoad& b);
};
const std::vector<LoadOrder>& load_orders();

// The order of this word. Throws std::invalid_argument.
const LoadOrder& load_order(std::string_view word);

void sort_loads(std::vector<ProcessLoad>& loads, const LoadOrder& order);

}  // namespace nd

// SPDX-License-Identifier: MIT
//
// The counters of one process at one network interface, out of its report (docs/inspection.md).
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace nd {

// Bytes include the wire's framing.
struct WireCounters {
    std::string wire;
    std::uint64_t bytes_in = 0;
    std::uint64_t bytes_out = 0;
    std::uint64_t frames_in = 0;
    std::uint64_t frames_out = 0;
};

// Totals since the process began; `active` is current.
struct InterfaceCounters {
    std::uint64_t index = 0;
    std::string name;  // "#7", by its index, where the report has none
    std::uint64_t connects = 0;
    std::uint64_t accepts = 0;
    std::uint64_t failures = 0;
    std::uint64_t errors = 0;
    std::uint64_t queue_errors = 0;
    std::uint64_t active = 0;
    bool counts_traffic = false;  // false: its adapters do not, or an older version tells nothing of it
    std::vector<WireCounters> wires;
};

// The counters of an interface of a report that ask_process() gave.
InterfaceCounters counters_of(const nlohmann::ordered_json& interface);

// A counter as programs and people read it: by its name in Windows' counter set "RDMA Activity".
struct NamedCounter {
    std::string name;  // of traffic without "/sec", which is that of its rate
    std::string wire;  // empty: of all
    std::uint64_t value = 0;
    bool grows = true;  // false: a current value, which has no rate
};

// The sums of the interface's wires before those of each. Without counts_traffic there is none of traffic.
std::vector<NamedCounter> named_counters(const InterfaceCounters& counters);

}  // namespace nd

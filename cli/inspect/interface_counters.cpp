// SPDX-License-Identifier: MIT
//
// Read interface_counters.h first.
#include "inspect/interface_counters.h"

#include <nlohmann/json.hpp>

namespace nd {
namespace {

using nlohmann::ordered_json;

struct TrafficName {
    const char* name;
    std::uint64_t WireCounters::*value;
};
constexpr TrafficName kTraffic[] = {
    {"RDMA Inbound Bytes", &WireCounters::bytes_in},
    {"RDMA Inbound Frames", &WireCounters::frames_in},
    {"RDMA Outbound Bytes", &WireCounters::bytes_out},
    {"RDMA Outbound Frames", &WireCounters::frames_out},
};

WireCounters wire_of(const ordered_json& traffic) {
    return {traffic["wire"], traffic["bytes_in"], traffic["bytes_out"], traffic["frames_in"], traffic["frames_out"]};
}

}  // namespace

InterfaceCounters counters_of(const ordered_json& interface) {
    const ordered_json& counts = interface["counts"];
    InterfaceCounters counters = {
        .index = interface["index"],
        .name = interface["name"],
        .connects = counts["connects"],
        .accepts = counts["accepts"],
        .failures = counts["failures"],
        .errors = counts["errors"],
        .queue_errors = counts["queue_errors"],
        .active = counts["active"],
        .counts_traffic = interface.contains("traffic"),
        .wires = {},
    };
    if (counters.name.empty()) counters.name = "#" + std::to_string(counters.index);
    if (counters.counts_traffic)
        for (const ordered_json& each : interface["traffic"]) counters.wires.push_back(wire_of(each));
    return counters;
}

std::vector<NamedCounter> named_counters(const InterfaceCounters& counters) {
    std::vector<NamedCounter> named = {
        {"RDMA Initiated Connections", "", counters.connects},
        {"RDMA Accepted Connections", "", counters.accepts},
        {"RDMA Failed Connection Attempts", "", counters.failures},
        {"RDMA Connection Errors", "", counters.errors},
        {"RDMA Completion Queue Errors", "", counters.queue_errors},
        {"RDMA Active Connections", "", counters.active, false},
    };
    if (!counters.counts_traffic) return named;
    for (const TrafficName& each : kTraffic) {
        std::uint64_t sum = 0;
        for (const WireCounters& wire : counters.wires) sum += wire.*each.value;
        named.push_back({each.name, "", sum});
        for (const WireCounters& wire : counters.wires) named.push_back({each.name, wire.wire, wire.*each.value});
    }
    return named;
}

}  // namespace nd

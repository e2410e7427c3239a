// SPDX-License-Identifier: MIT
//
// Read process_load.h first.
#include "top/process_load.h"

#include "inspect/interface_counters.h"

#include <algorithm>
#include <set>
#include <stdexcept>

namespace nd {
namespace {

using nlohmann::ordered_json;
using Rate = std::optional<double>;

// The counters of one process, its interfaces and wires together.
class ProcessSample {
public:
    ProcessSample(const ProcessAnswer& answer, CounterRates& rates) : answer_(answer), rates_(rates) {
        for (const ordered_json& each : answer.report["interfaces"]) interfaces_.push_back(counters_of(each));
    }

    std::uint64_t sum(std::uint64_t InterfaceCounters::*count) const {
        std::uint64_t all = 0;
        for (const InterfaceCounters& each : interfaces_) all += each.*count;
        return all;
    }
    Rate rate(const char* name, std::uint64_t value, const std::string& wire = {}) {
        return rates_.add(answer_.pid, 0, {.name = name, .wire = wire, .value = value}, answer_.when);
    }
    Rate traffic_rate(const char* name, std::uint64_t WireCounters::*count) {
        if (std::ranges::none_of(interfaces_, &InterfaceCounters::counts_traffic)) return std::nullopt;
        std::uint64_t all = 0;
        for (const InterfaceCounters& interface : interfaces_)
            for (const WireCounters& wire : interface.wires) all += wire.*count;
        return rate(name, all);
    }
    std::string busy_wires() {
        std::set<std::string> names;
        for (const InterfaceCounters& interface : interfaces_)
            for (const WireCounters& wire : interface.wires) {
                const Rate frames = rates_.add(
                    answer_.pid, interface.index,
                    {.name = "frames", .wire = wire.wire, .value = wire.frames_in + wire.frames_out}, answer_.when);
                if (frames.value_or(0) > 0) names.insert(wire.wire);
            }
        std::string list;
        for (const std::string& name : names) list += (list.empty() ? "" : ",") + name;
        return list;
    }

private:
    const ProcessAnswer& answer_;
    CounterRates& rates_;
    std::vector<InterfaceCounters> interfaces_;
};

ProcessLoad load_of(const ProcessAnswer& answer, CounterRates& rates) {
    ProcessSample sample(answer, rates);
    const std::uint64_t made = sample.sum(&InterfaceCounters::connects) + sample.sum(&InterfaceCounters::accepts);
    return {.pid = answer.pid,
            .user = answer.report["user"],
            .program = answer.report["program"],
            .wires = sample.busy_wires(),
            .connections = sample.sum(&InterfaceCounters::active),
            .lost = sample.sum(&InterfaceCounters::errors),
            .seconds = rates.seconds(answer.pid, answer.when),
            .bytes_in = sample.traffic_rate("bytes in", &WireCounters::bytes_in),
            .bytes_out = sample.traffic_rate("bytes out", &WireCounters::bytes_out),
            .frames_in = sample.traffic_rate("frames in", &WireCounters::frames_in),
            .frames_out = sample.traffic_rate("frames out", &WireCounters::frames_out),
            .new_connections = sample.rate("connections", made)};
}

double bytes(const ProcessLoad& load) { return load.bytes_in.value_or(0) + load.bytes_out.value_or(0); }
double known_frames(const ProcessLoad& load) { return load.frames_in.value_or(0) + load.frames_out.value_or(0); }

}  // namespace

std::vector<ProcessLoad> loads_of(const std::vector<ProcessAnswer>& answers, CounterRates& rates) {
    std::vector<ProcessLoad> loads;
    for (const ProcessAnswer& answer : answers)
        if (!answer.report.is_null()) loads.push_back(load_of(answer, rates));
    rates.end_sample();
    return loads;
}

const std::vector<LoadOrder>& load_orders() {
    using Load = ProcessLoad;
    static const std::vector<LoadOrder> orders = {
        {'b', "bytes", [](const Load& a, const Load& b) { return bytes(a) > bytes(b); }},
        {'f', "frames", [](const Load& a, const Load& b) { return known_frames(a) > known_frames(b); }},
        {'c', "connections", [](const Load& a, const Load& b) { return a.connections > b.connections; }},
        {'n', "new",
         [](const Load& a, const Load& b) { return a.new_connections.value_or(0) > b.new_connections.value_or(0); }},
        {'l', "lost", [](const Load& a, const Load& b) { return a.lost > b.lost; }},
        {'p', "pid", [](const Load& a, const Load& b) { return a.pid < b.pid; }},
    };
    return orders;
}

const LoadOrder& load_order(std::string_view word) {
    const auto found = std::ranges::find(load_orders(), word, &LoadOrder::word);
    if (found == load_orders().end()) throw std::invalid_argument("no order of processes is " + std::string(word));
    return *found;
}

// Processes that are equal stay where they are.
void sort_loads(std::vector<ProcessLoad>& loads, const LoadOrder& order) {
    std::ranges::sort(loads, {}, &ProcessLoad::pid);
    std::ranges::stable_sort(loads, order.before);
}

}  // namespace nd

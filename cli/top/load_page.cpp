// SPDX-License-Identifier: MIT
//
// Read load_page.h first.
#include "top/load_page.h"

#include "inspect/text_table.h"
#include "text/number_text.h"

#include <cstdio>

namespace nd {
namespace {

using Rate = std::optional<double>;

constexpr std::size_t kMostOfWires = 14;

// Three digits and a decimal unit: 0.0123, 999, 1.23k, 45.6M, 789G.
std::string short_number(double number) {
    constexpr const char* kUnits[] = {"", "k", "M", "G", "T", "P"};
    std::size_t unit = 0;
    while (number >= 999.5 && unit + 1 < std::size(kUnits)) {
        number /= 1000;
        ++unit;
    }
    if (unit == 0 && number < 10) return number_text(number, 0);
    const int decimals = unit == 0 || number >= 99.95 ? 0 : number >= 9.995 ? 1 : 2;
    char text[64] = "";
    std::snprintf(text, sizeof text, "%.*f%s", decimals, number, kUnits[unit]);
    return text;
}

std::string short_rate(const Rate& rate) { return rate ? short_number(*rate) : "-"; }

Rate frames(const ProcessLoad& load) {
    if (!load.frames_in || !load.frames_out) return std::nullopt;
    return *load.frames_in + *load.frames_out;
}

std::vector<std::string> row_of(const ProcessLoad& load) {
    return {std::to_string(load.pid),
            std::to_string(load.user),
            std::to_string(load.connections),
            short_rate(load.bytes_in),
            short_rate(load.bytes_out),
            short_rate(frames(load)),
            short_rate(load.new_connections),
            std::to_string(load.lost),
            printable(load.wires.empty() ? "-" : load.wires, kMostOfWires),
            load.program};
}

std::string sums(const std::vector<ProcessLoad>& loads, std::size_t refused) {
    double in = 0, out = 0;
    std::uint64_t connections = 0;
    for (const ProcessLoad& each : loads) {
        in += each.bytes_in.value_or(0);
        out += each.bytes_out.value_or(0);
        connections += each.connections;
    }
    std::string text = counted(loads.size(), "process", "processes") + ", " +
                       counted(connections, "connection", "connections") + ", " + short_number(in) + "B/s in, " +
                       short_number(out) + "B/s out";
    if (refused != 0) text += "; without an answer: " + std::to_string(refused);
    return text;
}

}  // namespace

std::vector<std::string> load_page(const std::vector<ProcessLoad>& loads, std::size_t refused, const LoadOrder& order,
                                   const std::string& time) {
    TextTable table(
        {">PID", ">USER", ">CONN", ">B/s IN", ">B/s OUT", ">FRAMES/s", ">NEW/s", ">LOST", "WIRES", "PROGRAM"});
    for (const ProcessLoad& each : loads) table.add(row_of(each));
    std::vector<std::string> page = {"nd top - " + time + ", by " + std::string(order.word), sums(loads, refused)};
    for (std::string& line : table.lines(Excess::cut)) page.push_back(std::move(line));
    return page;
}

}  // namespace nd

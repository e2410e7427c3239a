// SPDX-License-Identifier: MIT
//
// Read ps.h first.
#include "inspect/ps.h"

#include "inspect/processes.h"
#include "inspect/text_table.h"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <string>

namespace nd {
namespace {

using nlohmann::ordered_json;

// The sum over all interfaces of one process.
std::uint64_t sum(const ordered_json& report, const char* count) {
    std::uint64_t all = 0;
    for (const ordered_json& each : report["interfaces"]) all += each["counts"][count].get<std::uint64_t>();
    return all;
}

std::size_t listeners(const ordered_json& report) {
    std::size_t all = 0;
    for (const ordered_json& interface : report["interfaces"])
        for (const ordered_json& each : interface["endpoints"]) all += each["listens"].get<bool>() ? 1 : 0;
    return all;
}

std::string names_of_interfaces(const ordered_json& report) {
    std::string names;
    for (const ordered_json& each : report["interfaces"])
        names += (names.empty() ? "" : ",") + each["name"].get<std::string>();
    return names;
}

std::vector<std::string> row_of(const ProcessAnswer& answer) {
    const ordered_json& report = answer.report;
    const auto count = [&](const char* name) { return std::to_string(sum(report, name)); };
    return {std::to_string(answer.pid),
            report["user"].dump(),
            count("active"),
            std::to_string(listeners(report)),
            count("connects"),
            count("accepts"),
            count("failures"),
            count("errors"),
            names_of_interfaces(report),
            report["program"].get<std::string>()};
}

void print_table(const std::vector<ProcessAnswer>& answers) {
    TextTable table(
        {">PID", ">USER", ">CONN", ">LISTEN", ">MADE", ">ACCEPTED", ">FAILED", ">LOST", "IFACES", "PROGRAM"});
    for (const ProcessAnswer& answer : answers)
        if (!answer.report.is_null()) table.add(row_of(answer));
    if (!table.empty()) table.print();
    print_refusals(answers);
    print_faults(answers);
}

ordered_json reports_of(const std::vector<ProcessAnswer>& answers) {
    ordered_json all = ordered_json::array();
    for (const ProcessAnswer& answer : answers)
        all.push_back(answer.report.is_null() ? ordered_json{{"pid", answer.pid}, {"refusal", answer.refusal}}
                                              : answer.report);
    return all;
}

}  // namespace

void define_ps_options(CLI::App& command, PsOptions& options) {
    command.description(
        "List the processes that have opened an adapter: their live connections and listeners, and since "
        "they began the connections made, accepted, failed and lost. Those of this user; as root all.");
    define_json_options(command, options, "Print JSON, with each connection");
}

int run_ps(const PsOptions& options) {
    const std::vector<ProcessAnswer> answers = ask_processes();
    if (options.json)
        JsonOutput(options).print(reports_of(answers));
    else
        print_table(answers);
    return 0;
}

}  // namespace nd

// SPDX-License-Identifier: MIT
//
// Read dump.h first.
#include "inspect/dump.h"

#include "inspect/processes.h"
#include "network/connection/peer_text.h"

#include <CLI/CLI.hpp>

#include <cstdint>
#include <cstdio>
#include <ctime>
#include <string>
#include <utility>

namespace nd {
namespace {

using nlohmann::ordered_json;

// The form of the log's lines.
std::string time_text(std::int64_t microseconds) {
    const auto seconds = static_cast<std::time_t>(microseconds / 1'000'000);
    std::tm local = {};
    if (!::localtime_r(&seconds, &local)) return std::to_string(microseconds);
    char date[32] = "", text[48] = "";
    std::strftime(date, sizeof date, "%Y-%m-%d %H:%M:%S", &local);
    std::snprintf(text, sizeof text, "%s.%06d", date, static_cast<int>(microseconds % 1'000'000));
    return text;
}

std::string shown(const ordered_json& text) {
    const auto& told = text.get_ref<const std::string&>();
    return peer_text(told.data(), told.size());
}

void print_events(const ordered_json& events) {
    for (const ordered_json& each : events)
        std::printf("%s %lld %s: %s\n", time_text(each.at("at_us").get<std::int64_t>()).c_str(),
                    each.at("thread").get<long long>(), shown(each.at("level")).c_str(),
                    shown(each.at("text")).c_str());
    if (events.empty()) std::printf("no event\n");
}

}  // namespace

void define_dump_options(CLI::App& command, DumpOptions& options) {
    command.description(
        "Print the last events of a process, the oldest first, with time and thread: connections that were made, "
        "refused, ended and lost, and failures with their explanations. Every process with an open adapter keeps "
        "256 of them, whatever its OPENND_LOG.");
    command.add_option("PID", options.pid, "The process, as `nd ps` lists it")->required();
    command.add_flag("--json", options.json, "Print JSON");
}

int run_dump(const DumpOptions& options) {
    const ProcessAnswer answer = std::move(ask_processes(options.pid, Ask::events).front());
    if (options.json)
        std::printf("%s\n", answer.report.dump(2).c_str());
    else
        print_events(answer.report["events"]);
    return 0;
}

}  // namespace nd

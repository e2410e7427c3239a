// SPDX-License-Identifier: MIT
//
// Read dump.h first.
#include "inspect/dump.h"

#include "inspect/processes.h"
#include "network/connection/peer_text.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <string>
#include <utility>
#include <vector>

namespace nd {
namespace {

using nlohmann::ordered_json;

// The form of the log's lines.
std::string time_text(std::int64_t microseconds) {
    const auto seconds = static_cast<std::time_t>(microseconds / 1'000'000);
    std::tm local = {};
    if (!::localtime_r(&seconds, &local)) return std::to_string(microseconds);
    char date[32] = "", zone[16] = "", text[64] = "";
    std::strftime(date, sizeof date, "%Y-%m-%d %H:%M:%S", &local);
    std::strftime(zone, sizeof zone, "%z", &local);
    std::snprintf(text, sizeof text, "%s.%06d%s", date, static_cast<int>(microseconds % 1'000'000), zone);
    return text;
}

std::string shown(const ordered_json& text) {
    const auto& told = text.get_ref<const std::string&>();
    return peer_text(told.data(), told.size());
}

struct Line {
    std::int64_t at_us;
    long long thread;
    std::string text;
};

std::string number_of(const ordered_json& object, const char* member) {
    return std::to_string(object.at(member).get<std::uint64_t>());
}

// A post or a result of a queue.
std::string request_text(const ordered_json& queue, const ordered_json& event) {
    std::string text = "request: " + shown(queue.at("queue")) + " " + number_of(queue, "number") + ": " +
                       shown(event.at("operation")) + " of " + number_of(event, "bytes") + " bytes, request context " +
                       shown(event.at("context")) + ": ";
    const std::string what = shown(event.at("event"));
    if (!event.contains("status")) return text + what;
    text += what == "result" ? shown(event.at("status")) : what + ": " + shown(event.at("status"));
    if (!event.contains("took_ns")) return text;
    char took[48] = "";
    std::snprintf(took, sizeof took, " after %.1f us", event.at("took_ns").get<double>() / 1000);
    return text + took;
}

void print_events(const ordered_json& report) {
    std::vector<Line> lines;
    for (const ordered_json& each : report.at("events"))
        lines.push_back({each.at("at_us"), each.at("thread"), shown(each.at("level")) + ": " + shown(each.at("text"))});
    if (report.contains("requests"))
        for (const ordered_json& queue : report.at("requests"))
            for (const ordered_json& each : queue.at("events"))
                lines.push_back({each.at("at_us"), each.at("thread"), request_text(queue, each)});
    std::ranges::stable_sort(lines, {}, &Line::at_us);
    for (const Line& each : lines)
        std::printf("%s %lld %s\n", time_text(each.at_us).c_str(), each.thread, each.text.c_str());
    if (lines.empty()) std::printf("no event\n");
    if (!report.contains("pending")) return;  // of a version before this one
    for (const ordered_json& each : report.at("pending")) std::printf("pending: %s\n", shown(each).c_str());
}

}  // namespace

void define_dump_options(CLI::App& command, DumpOptions& options) {
    command.description(
        "Print the last events of a process. They come in their order, with time and thread: connections that were "
        "made, refused, ended and lost, and failures with their explanations; behind them the present: attempts at "
        "connections and requests that nobody has answered, with their ages. Every process with an open adapter keeps "
        "256 of them, whatever its OPENND_LOG. With OPENND_DUMP_REQUESTS=N in its environment also the last N posts "
        "and results of each queue pair.");
    command.add_option("PID", options.pid, "The process, as `nd ps` lists it")->required();
    define_json_options(command, options, "Print JSON");
}

int run_dump(const DumpOptions& options) {
    const ProcessAnswer answer = std::move(ask_processes(options.pid, Ask::events).front());
    if (options.json)
        JsonOutput(options).print(answer.report);
    else
        print_events(answer.report);
    return 0;
}

}  // namespace nd

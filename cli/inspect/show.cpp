// SPDX-License-Identifier: MIT
//
// Read show.h first.
#include "inspect/show.h"

#include "inspect/processes.h"
#include "inspect/text_table.h"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <stdexcept>

namespace nd {
namespace {

using nlohmann::ordered_json;

std::string age_text(std::int64_t milliseconds) {
    char text[32] = "";
    if (milliseconds < 60'000)
        std::snprintf(text, sizeof text, "%.1fs", static_cast<double>(milliseconds) / 1000);
    else if (milliseconds < 3'600'000)
        std::snprintf(text, sizeof text, "%.1fm", static_cast<double>(milliseconds) / 60'000);
    else
        std::snprintf(text, sizeof text, "%.1fh", static_cast<double>(milliseconds) / 3'600'000);
    return text;
}

// The objects of all processes, each with its process and its interface.
ordered_json objects_of(const std::vector<ProcessAnswer>& answers, const char* member) {
    ordered_json all = ordered_json::array();
    for (const ProcessAnswer& answer : answers) {
        if (answer.report.is_null()) continue;
        for (const ordered_json& interface : answer.report["interfaces"])
            for (const ordered_json& each : interface[member]) {
                ordered_json object = {{"pid", answer.pid}, {"interface", interface["name"]}};
                object.update(each);
                object["pid"] = answer.pid;  // not the members of these names that the process may have sent
                object["interface"] = interface["name"];
                all.push_back(std::move(object));
            }
    }
    return all;
}

std::string peer_process(const ordered_json& connection) {
    return connection.contains("peer_pid") ? connection["peer_pid"].dump() : "-";
}

void print_connections(const ordered_json& connections) {
    TextTable table({">PID", "LOCAL", "PEER", ">PEERPID", "WIRE", ">AGE", "OWNER", "INTERFACE"});
    for (const ordered_json& each : connections)
        table.add({each["pid"].dump(), each["local"], each["peer"], peer_process(each), each["wire"],
                   age_text(each["age_ms"].get<std::int64_t>()), each["owner"], each["interface"]});
    if (table.empty())
        std::printf("no connection\n");
    else
        table.print();
}

void print_listeners(const ordered_json& endpoints) {
    TextTable table({">PID", "LOCAL", "STATE", "OWNER", "INTERFACE"});
    for (const ordered_json& each : endpoints)
        table.add({each["pid"].dump(), each["local"], each["listens"].get<bool>() ? "listens" : "bound", each["owner"],
                   each["interface"]});
    if (table.empty())
        std::printf("no listener\n");
    else
        table.print();
}

}  // namespace

void define_show_options(CLI::App& command, ShowOptions& options) {
    command.description(
        "List the objects of the processes that `nd ps` lists, or of one: conn, live connections with their wire and "
        "the "
        "peer's process; listen, listeners.");
    command.add_option("OBJECTS", options.objects, "conn or listen")
        ->required()
        ->check(CLI::IsMember({"conn", "listen"}));
    command.add_option("PID", options.pid, "One process");
    command.add_flag("--json", options.json, "Print JSON");
}

int run_show(const ShowOptions& options) {
    const auto answers = options.pid == 0 ? ask_processes() : std::vector{ask_process(options.pid)};
    if (options.pid != 0 && answers.front().report.is_null())
        throw std::runtime_error("process " + std::to_string(options.pid) + ": " + answers.front().refusal);
    const bool connections = options.objects == "conn";
    const ordered_json objects = objects_of(answers, connections ? "connections" : "endpoints");
    if (options.json)
        std::printf("%s\n", objects.dump(2).c_str());
    else if (connections)
        print_connections(objects);
    else
        print_listeners(objects);
    return 0;
}

}  // namespace nd

// SPDX-License-Identifier: MIT
//
// Read show.h first.
#include "inspect/show.h"

#include "inspect/object_kinds.h"
#include "inspect/processes.h"
#include "inspect/text_table.h"
#include "usage/one_of.h"

#include <CLI/CLI.hpp>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <map>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace nd {
namespace {

using nlohmann::ordered_json;

// A connection's path is told by its queue pair.
void add_paths(const ordered_json& interface, ordered_json& connections) {
    std::map<std::uint64_t, std::string> paths;
    for (const ordered_json& each : interface.at("queue_pairs"))
        if (each.contains("path")) paths[each.at("number").get<std::uint64_t>()] = each.at("path");
    for (ordered_json& each : connections)
        if (each.contains("queue_pair"))
            if (const auto found = paths.find(each.at("queue_pair").get<std::uint64_t>()); found != paths.end())
                each["path"] = found->second;
}

// Behind the connections that are up. A version before this one tells of no attempts.
void add_attempts(const ordered_json& interface, ordered_json& connections) {
    for (ordered_json& each : connections) each["state"] = "connected";
    if (!interface.contains("attempts")) return;
    for (const ordered_json& each : interface.at("attempts")) connections.push_back(each);
}

// The objects of one interface, each with its process and the interface.
void add_objects_of(const ordered_json& interface, const char* member, unsigned pid, ordered_json& all) {
    ordered_json objects = interface[member];
    if (std::string(member) == "connections") {
        if (interface.contains("queue_pairs")) add_paths(interface, objects);
        add_attempts(interface, objects);
    }
    for (const ordered_json& each : objects) {
        ordered_json object = {{"pid", pid}, {"interface", interface["name"]}};
        object.update(each);
        object["pid"] = pid;  // not the members of these names that the process may have sent
        object["interface"] = interface["name"];
        all.push_back(std::move(object));
    }
}

void add_objects_of_process(const ordered_json& report, const char* member, unsigned pid, ordered_json& all) {
    if (!report.contains(member)) return;
    for (const ordered_json& each : report[member]) {
        ordered_json object = {{"pid", pid}};
        object.update(each);
        object["pid"] = pid;
        all.push_back(std::move(object));
    }
}

ordered_json objects_of(const std::vector<ProcessAnswer>& answers, const ObjectKind& kind) {
    ordered_json all = ordered_json::array();
    for (const ProcessAnswer& answer : answers) {
        if (answer.report.is_null()) continue;
        if (kind.of_process)
            add_objects_of_process(answer.report, kind.member, answer.pid, all);
        else
            for (const ordered_json& interface : answer.report["interfaces"])
                add_objects_of(interface, kind.member, answer.pid, all);
    }
    return all;
}

// Changes whenever a request or a receive of the queue pair completes.
using Marks = std::pair<std::uint64_t, std::uint64_t>;
Marks marks_of(const ordered_json& queue_pair) {
    if (queue_pair.contains("busy")) return {};
    const auto completed = [&](const char* queue) {
        return queue_pair.contains(queue) ? queue_pair.at(queue).at("completed").get<std::uint64_t>() : 0;
    };
    return {completed("requests"), completed("receives")};
}

using Identity = std::pair<std::uint64_t, std::uint64_t>;  // process and number
Identity identity_of(const ordered_json& object) {
    return {object.at("pid").get<std::uint64_t>(), object.at("number").get<std::uint64_t>()};
}

// Each that stood in both looks gets `moved`: whether something of it completed in between.
void compare(const ordered_json& before, ordered_json& now) {
    std::map<Identity, Marks> known;
    for (const ordered_json& each : before) known[identity_of(each)] = marks_of(each);
    for (ordered_json& each : now)
        if (const auto found = known.find(identity_of(each)); found != known.end())
            each["moved"] = found->second != marks_of(each);
}

// `answers`: the newest.
ordered_json look(const ShowOptions& options, const ObjectKind& kind, std::vector<ProcessAnswer>& answers) {
    const Ask what = kind.of_objects ? Ask::objects : Ask::report;
    answers = ask_processes(options.pid, what);
    ordered_json objects = objects_of(answers, kind);
    if (std::string(kind.word) != "qp" || options.over_seconds == 0) return objects;
    std::this_thread::sleep_for(std::chrono::duration<double>(options.over_seconds));
    answers = ask_processes(options.pid, what);
    ordered_json later = objects_of(answers, kind);
    compare(objects, later);
    return later;
}

void print_table(const ObjectKind& kind, const ordered_json& objects) {
    TextTable table(kind.headings);
    for (const ordered_json& each : objects) table.add(kind.row(each));
    if (table.empty())
        std::printf("%s\n", kind.none);
    else
        table.print();
}

}  // namespace

void define_show_options(CLI::App& command, ShowOptions& options) {
    command.description(
        "List objects of running processes, or of one: conn, live connections with their wire and "
        "the peer's process, and attempts at connections; listen, listeners and the requests that wait there; qp, "
        "queue pairs, how full they are and what holds them up; cq, "
        "completion queues; srq, shared receive queues; mr, memory regions; mw, memory windows; faults, faults on "
        "purpose.");
    std::vector<std::string> words;
    for (const ObjectKind& kind : object_kinds()) words.emplace_back(kind.word);
    command.add_option("OBJECTS", options.objects, "conn, listen, qp, cq, srq, mr, mw or faults")
        ->required()
        ->check(one_of(words));
    command.add_option("PID", options.pid, "One process");
    command
        .add_option("--over", options.over_seconds, "qp: look twice, so many seconds apart, for what stands; 0: once")
        ->check(CLI::Range(0.0, 3600.0))
        ->capture_default_str();
    define_json_options(command, options, "Print JSON");
}

int run_show(const ShowOptions& options) {
    const ObjectKind& kind = object_kind(options.objects);
    std::vector<ProcessAnswer> answers;
    const ordered_json objects = look(options, kind, answers);
    if (options.json) {
        JsonOutput(options).print(objects);
        return 0;
    }
    print_table(kind, objects);
    if (!kind.of_process) print_faults(answers);
    return 0;
}

}  // namespace nd

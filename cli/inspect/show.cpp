// SPDX-License-Identifier: MIT
//
// Read show.h first.
#include "inspect/show.h"

#include "inspect/object_kinds.h"
#include "inspect/processes.h"
#include "inspect/text_table.h"
#include "network/socket_address.h"
#include "text/nearest_word.h"
#include "usage/one_of.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace nd {
namespace {

using nlohmann::ordered_json;

constexpr const char* kQueuePair = "qp";

bool is_queue_pair(const ObjectKind& kind) { return kind.word == std::string(kQueuePair); }

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

// The oldest request of this queue pair waits, and nothing completed between two looks.
bool stands(const ordered_json& queue_pair) {
    return !queue_pair.contains("busy") && queue_pair.contains("moved") && !queue_pair.at("moved").get<bool>() &&
           queue_pair.at("requests").contains("oldest");
}

template <typename Condition>
ordered_json those_with(const ordered_json& objects, Condition condition) {
    ordered_json some = ordered_json::array();
    std::ranges::copy_if(objects, std::back_inserter(some.get_ref<ordered_json::array_t&>()), condition);
    return some;
}

ordered_json stuck_ones(const ordered_json& objects, const ordered_json& queue_pairs, const ObjectKind& kind) {
    if (is_queue_pair(kind)) return those_with(objects, stands);
    std::set<Identity> stuck;
    for (const ordered_json& each : queue_pairs)
        if (stands(each)) stuck.insert(identity_of(each));
    return those_with(objects, [&](const ordered_json& each) {
        return each.contains("queue_pair") &&
               stuck.contains({each.at("pid").get<std::uint64_t>(), each.at("queue_pair").get<std::uint64_t>()});
    });
}

// `answers`: the newest.
ordered_json look(const ShowOptions& options, const ObjectKind& kind, std::vector<ProcessAnswer>& answers) {
    const Ask what = kind.of_objects ? Ask::objects : Ask::report;
    answers = ask_processes(options.pid, what);
    if ((!is_queue_pair(kind) && !options.stuck) || options.over_seconds == 0) return objects_of(answers, kind);
    const ObjectKind& queue_pair = object_kind(kQueuePair);
    const ordered_json before = objects_of(answers, queue_pair);
    std::this_thread::sleep_for(std::chrono::duration<double>(options.over_seconds));
    answers = ask_processes(options.pid, what);
    ordered_json queue_pairs = objects_of(answers, queue_pair);
    compare(before, queue_pairs);
    const ordered_json objects = is_queue_pair(kind) ? queue_pairs : objects_of(answers, kind);
    return options.stuck ? stuck_ones(objects, queue_pairs, kind) : objects;
}

// The text of a report that names this peer: with a port that of one end, otherwise its beginning.
std::string peer_in_reports(const std::string& named) {
    const SocketAddress peer = SocketAddress::parse(named);
    const std::string host = peer.family() == AF_INET6 ? "[" + peer.host() + "]:" : peer.host() + ":";
    return peer.port() == 0 ? host : host + std::to_string(peer.port());
}

ordered_json with_peer(const ordered_json& objects, const std::string& named) {
    const std::string wanted = peer_in_reports(named);
    return those_with(objects, [&](const ordered_json& each) {
        if (!each.contains("peer")) return false;
        const auto& peer = each.at("peer").get_ref<const std::string&>();
        return wanted.ends_with(':') ? peer.starts_with(wanted) : peer == wanted;
    });
}

ordered_json value_of(const ordered_json& object, const SortKey& key) {
    for (const char* place : {key.place, key.other_place})
        if (place != nullptr)
            if (const ordered_json::json_pointer pointer(place); object.contains(pointer)) return object.at(pointer);
    return nullptr;
}

const SortKey& sort_key(const ObjectKind& kind, const std::string& word) {
    const auto found = std::ranges::find(kind.sort_keys, word, &SortKey::word);
    if (found != kind.sort_keys.end()) return *found;
    std::vector<std::string> words;
    for (const SortKey& each : kind.sort_keys) words.emplace_back(each.word);
    throw std::invalid_argument("--sort of " + std::string(kind.word) + ": '" + word + "' is none of " +
                                CLI::detail::join(words, ", ") + did_you_mean(word, words));
}

void sort(ordered_json& objects, const SortKey& key) {
    std::ranges::stable_sort(objects.get_ref<ordered_json::array_t&>(),
                             [&key](const ordered_json& one, const ordered_json& other) {
                                 const ordered_json a = value_of(one, key), b = value_of(other, key);
                                 return key.greatest_first ? b < a : a < b;
                             });
}

// Throws std::invalid_argument for options that the kind does not have.
void check_options(const ShowOptions& options, const ObjectKind& kind) {
    const bool has_peers = is_queue_pair(kind) || kind.word == std::string("conn");
    if (!has_peers && (options.stuck || !options.peer.empty()))
        throw std::invalid_argument("--peer and --stuck are for conn and qp; " + std::string(kind.word) +
                                    " has no peers");
    if (options.stuck && options.over_seconds == 0)
        throw std::invalid_argument("--stuck takes two looks; --over 0 is one");
    if (!options.sort.empty()) sort_key(kind, options.sort);
}

void print_table(const ObjectKind& kind, const ordered_json& objects, bool picked) {
    TextTable table(kind.headings);
    for (const ordered_json& each : objects)
        table.add(kind.row(each), is_queue_pair(kind) && stands(each) ? Style::problem : Style::plain);
    if (table.empty())
        std::printf("%s\n", picked ? "none that --peer or --stuck asks for" : kind.none);
    else
        table.print_one_line_each();
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
    command.add_option("OBJECTS", options.objects, "The kind of objects")->required()->check(one_of(words));
    command.add_option("PID", options.pid, "One process");
    command
        .add_option("--over", options.over_seconds, "The seconds between the two looks of qp and --stuck; 0: one look")
        ->type_name("SECONDS")
        ->check(CLI::Range(0.0, 3600.0).description(""))
        ->capture_default_str();
    command.add_option("--peer", options.peer, "conn, qp: those of this peer alone, with a port or without")
        ->type_name("ADDRESS");
    command.add_flag(
        "--stuck", options.stuck,
        "conn, qp: those alone that make no progress: the oldest request waits, and between two looks none completed");
    command
        .add_option("--sort", options.sort,
                    "Sort by a column, as pid, peer, age, bytes: sizes and ages with the greatest first")
        ->type_name("KEY");
    define_json_options(command, options, "Print JSON");
}

int run_show(const ShowOptions& options) {
    const ObjectKind& kind = object_kind(options.objects);
    check_options(options, kind);
    std::vector<ProcessAnswer> answers;
    ordered_json objects = look(options, kind, answers);
    if (!options.peer.empty()) objects = with_peer(objects, options.peer);
    if (!options.sort.empty()) sort(objects, sort_key(kind, options.sort));
    if (options.json) {
        JsonOutput(options).print(objects);
        return 0;
    }
    print_table(kind, objects, options.stuck || !options.peer.empty());
    if (!kind.of_process) print_faults(answers);
    return 0;
}

}  // namespace nd

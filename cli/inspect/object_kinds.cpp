// SPDX-License-Identifier: MIT
//
// Read object_kinds.h first.
#include "inspect/object_kinds.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <string_view>

namespace nd {
namespace {

using nlohmann::ordered_json;
using Row = std::vector<std::string>;

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

std::string number(const ordered_json& object, const char* member) {
    return std::to_string(object.at(member).get<std::uint64_t>());
}

std::string text_or_none(const ordered_json& object, const char* member) {
    return object.contains(member) ? object.at(member).get<std::string>() : "-";
}

std::string yes_or_none(const ordered_json& object, const char* member) {
    return object.at(member).get<bool>() ? "yes" : "-";
}

// A version before this one tells the owner alone.
std::string api_of(const ordered_json& object) { return object.value("api", object.at("owner").get<std::string>()); }

Row connection_row(const ordered_json& each) {
    return {number(each, "pid"),
            each.at("local"),
            each.at("peer"),
            each.contains("peer_pid") ? number(each, "peer_pid") : "-",
            text_or_none(each, "wire"),
            age_text(each.at("age_ms").get<std::int64_t>()),
            api_of(each),
            each.at("interface"),
            text_or_none(each, "path"),
            each.contains("meaning") ? each.at("meaning").get<std::string>() : ""};
}

// Requests that wait for the program, and those that it has and has not answered.
std::string requests_at(const ordered_json& listener) {
    std::string text;
    if (listener.value("waiting", 0) != 0)
        text = number(listener, "waiting") + " wait for GetConnectionRequest, the oldest for " +
               age_text(listener.value("oldest_ms", std::int64_t{0}));
    if (listener.value("unanswered", 0) != 0)
        text += (text.empty() ? "" : "; ") + number(listener, "unanswered") + " wait for Accept or Reject";
    return text;
}

Row listener_row(const ordered_json& each) {
    return {number(each, "pid"), each.at("local"),     each.at("listens").get<bool>() ? "listens" : "bound",
            api_of(each),        each.at("interface"), requests_at(each)};
}

std::string used_of(std::uint64_t used, const ordered_json& queue) {
    return std::to_string(used) + "/" + number(queue, "depth");
}

// The age of the oldest request: exact where requests are recorded, else how long looks have found it there.
std::string oldest_age(const ordered_json& requests) {
    if (!requests.contains("oldest")) return "-";
    const ordered_json& oldest = requests.at("oldest");
    if (oldest.contains("age_ms")) return age_text(oldest.at("age_ms").get<std::int64_t>());
    return oldest.contains("seen_ms") ? ">" + age_text(oldest.at("seen_ms").get<std::int64_t>()) : "?";
}

std::string standing_request(const ordered_json& queue_pair, const ordered_json& oldest) {
    std::string note = "stands: " + oldest.at("operation").get<std::string>() + " of " + number(oldest, "bytes") +
                       " bytes" + (oldest.at("started").get<bool>() ? ", the peer has not taken it" : ", not started");
    if (queue_pair.contains("tcp") && queue_pair.at("tcp").at("timeouts").get<std::uint64_t>() != 0)
        note += "; TCP gets no answer, and has sent " + number(queue_pair.at("tcp"), "timeouts") + " times again";
    return note;
}

// What somebody who looks for a hang wants to know.
std::string note_of(const ordered_json& queue_pair) {
    const ordered_json& requests = queue_pair.at("requests");
    const bool stands = queue_pair.contains("moved") && !queue_pair.at("moved").get<bool>();
    if (queue_pair.at("message_waits").get<bool>())
        return "a message waits" +
               (queue_pair.contains("message_age_ms")
                    ? " for " + age_text(queue_pair.at("message_age_ms").get<std::int64_t>())
                    : std::string()) +
               ": no receive is posted";
    if (stands && requests.contains("oldest")) return standing_request(queue_pair, requests.at("oldest"));
    if (stands && requests.at("unretrieved").get<std::uint64_t>() != 0)
        return "results wait in CQ " + number(queue_pair, "initiator_cq");
    if (stands && queue_pair.contains("receives") &&
        queue_pair.at("receives").at("unretrieved").get<std::uint64_t>() != 0)
        return "results wait in CQ " + number(queue_pair, "receive_cq");
    return queue_pair.at("polled").get<bool>() ? "polled" : "";
}

Row queue_pair_row(const ordered_json& each) {
    Row row{number(each, "pid"), number(each, "number")};
    if (each.contains("busy")) {
        row.insert(row.end(), {each.value("state", "?"), text_or_none(each, "peer"), "?", "?", "?",
                               "threads of the program are inside"});
        return row;
    }
    const ordered_json& requests = each.at("requests");
    row.push_back(each.at("state"));
    row.push_back(text_or_none(each, "peer"));
    row.push_back(used_of(
        requests.at("outstanding").get<std::uint64_t>() + requests.at("unretrieved").get<std::uint64_t>(), requests));
    row.push_back(each.contains("receives")
                      ? used_of(each.at("receives").at("posted").get<std::uint64_t>(), each.at("receives"))
                      : "SRQ " + number(each, "srq"));
    row.push_back(oldest_age(requests));
    row.push_back(note_of(each));
    return row;
}

std::string note_of_results(const ordered_json& queue) {
    if (queue.at("failed").get<bool>()) return "failed: it overran";
    if (!queue.contains("poller") || !queue.at("poller").contains("result_ms_ago")) return "";
    return "the last result was taken " + age_text(queue.at("poller").at("result_ms_ago").get<std::int64_t>()) + " ago";
}

Row completion_queue_row(const ordered_json& each) {
    return {number(each, "pid"),
            number(each, "number"),
            number(each, "depth"),
            number(each, "results"),
            yes_or_none(each, "notify"),
            each.contains("poller") ? number(each.at("poller"), "thread") : "-",
            each.contains("loop") ? number(each, "loop") : "-",
            note_of_results(each)};
}

Row shared_queue_row(const ordered_json& each) {
    return {number(each, "pid"), number(each, "number"), number(each, "depth"), number(each, "posted"),
            number(each, "threshold")};
}

// The rights of this side, those of peers, and whether Reads may place into the region.
struct Rights {
    std::string here = "read", peers;
    bool sink = false;
};

Rights rights_of(const ordered_json& words) {
    constexpr std::string_view kRemote = "remote ";
    Rights rights;
    for (const ordered_json& each : words) {
        const auto& word = each.get_ref<const std::string&>();
        if (word == "local write") rights.here = "read, write";
        if (word == "read sink") rights.sink = true;
        if (word.starts_with(kRemote)) rights.peers += (rights.peers.empty() ? "" : ", ") + word.substr(kRemote.size());
    }
    return rights;
}

Row region_row(const ordered_json& each) {
    Row row{number(each, "pid"), number(each, "number")};
    if (!each.at("registered").get<bool>()) {
        row.insert(row.end(), {"not registered", "-", "-", "-", "-"});
        return row;
    }
    const Rights rights = rights_of(each.at("rights"));
    row.push_back(each.contains("address") ? each.at("address").get<std::string>() : "pages");
    row.push_back(number(each, "bytes"));
    row.insert(row.end(), {rights.here, rights.sink ? "yes" : "-", rights.peers.empty() ? "-" : rights.peers});
    return row;
}

Row fault_row(const ordered_json& each) {
    return {number(each, "pid"), number(each, "injected"), number(each, "events"), each.at("rule")};
}

Row window_row(const ordered_json& each) {
    return {number(each, "pid"), number(each, "number"), yes_or_none(each, "bound")};
}

}  // namespace

std::span<const ObjectKind> object_kinds() {
    static const std::array kinds{
        ObjectKind{
            "conn",
            "connections",
            "no connection, and no attempt at one",
            true,
            false,
            {">PID", "?LOCAL", "PEER", "?>PEERPID", "WIRE", ">AGE", "?API", "?INTERFACE", "?PATH", "NOTE"},
            {{"pid", "/pid"}, {"local", "/local"}, {"peer", "/peer"}, {"wire", "/wire"}, {"age", "/age_ms", true}},
            connection_row},
        ObjectKind{"listen",
                   "endpoints",
                   "no listener",
                   false,
                   false,
                   {">PID", "LOCAL", "STATE", "?API", "?INTERFACE", "REQUESTS"},
                   {{"pid", "/pid"}, {"local", "/local"}, {"requests", "/waiting", true}},
                   listener_row},
        ObjectKind{"qp",
                   "queue_pairs",
                   "no queue pair",
                   true,
                   false,
                   {">PID", ">QP", "STATE", "?PEER", ">SENDS", ">RECVS", ">AGE", "NOTE"},
                   {{"pid", "/pid"},
                    {"qp", "/number"},
                    {"state", "/state"},
                    {"peer", "/peer"},
                    {"sends", "/requests/outstanding", true},
                    {"recvs", "/receives/posted", true},
                    {"age", "/requests/oldest/age_ms", true, "/requests/oldest/seen_ms"}},
                   queue_pair_row},
        ObjectKind{"cq",
                   "completion_queues",
                   "no completion queue",
                   true,
                   false,
                   {">PID", ">CQ", ">DEPTH", ">RESULTS", "NOTIFY", ">POLLER", "?>LOOP", "NOTE"},
                   {{"pid", "/pid"}, {"cq", "/number"}, {"depth", "/depth", true}, {"results", "/results", true}},
                   completion_queue_row},
        ObjectKind{"srq",
                   "shared_receive_queues",
                   "no shared receive queue",
                   true,
                   false,
                   {">PID", ">SRQ", ">DEPTH", ">POSTED", ">THRESHOLD"},
                   {{"pid", "/pid"}, {"srq", "/number"}, {"depth", "/depth", true}, {"posted", "/posted", true}},
                   shared_queue_row},
        ObjectKind{"mr",
                   "memory_regions",
                   "no memory region",
                   true,
                   false,
                   {">PID", ">MR", "ADDRESS", ">BYTES", "HERE", "SINK", "PEERS"},
                   {{"pid", "/pid"}, {"mr", "/number"}, {"bytes", "/bytes", true}},
                   region_row},
        ObjectKind{"mw",
                   "memory_windows",
                   "no memory window",
                   true,
                   false,
                   {">PID", ">MW", "BOUND"},
                   {{"pid", "/pid"}, {"mw", "/number"}},
                   window_row},
        ObjectKind{"faults",
                   "faults",
                   "no faults on purpose",
                   false,
                   true,
                   {">PID", ">FAULTS", ">EVENTS", "RULE"},
                   {{"pid", "/pid"}, {"faults", "/injected", true}, {"events", "/events", true}, {"rule", "/rule"}},
                   fault_row},
    };
    return kinds;
}

const ObjectKind& object_kind(const std::string& word) {
    return *std::ranges::find(object_kinds(), word, &ObjectKind::word);
}

}  // namespace nd

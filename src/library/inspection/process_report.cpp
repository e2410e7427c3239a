// SPDX-License-Identifier: MIT
// See process_report.h.
#include "library/inspection/process_report.h"

#include <unistd.h>

#include <chrono>
#include <map>
#include <optional>
#include <vector>

#include "library/inspection/capture_request.h"
#include "library/inspection/fault_report.h"
#include "library/json/json.h"
#include "platform/host/interfaces.h"
#include "platform/process/this_process.h"
#include "transport/recording/latency_histogram.h"

namespace opennd {
namespace {

using std::chrono::steady_clock;

ordered_json connection_json(const LiveConnection& connection, steady_clock::time_point now) {
    ordered_json json = {
        {"local", connection.local.text()}, {"peer", connection.peer.text()},
        {"wire", connection.carrier.wire},  {"owner", owner_of(connection.face)},
        {"api", name(connection.face)},     {"age_ms", milliseconds_of(now - connection.since)},
    };
    if (connection.queue_pair != 0) json["queue_pair"] = connection.queue_pair;
    if (connection.carrier.peer_process > 0) json["peer_pid"] = connection.carrier.peer_process;
    if (const auto& stream = connection.carrier.stream)
        json["tcp"] = {{"local", stream->local.text()}, {"peer", stream->peer.text()}};
    return json;
}

ordered_json counts_json(const ActivityCounts& counts) {
    return {{"connects", counts.connects}, {"accepts", counts.accepts}, {"failures", counts.failures},
            {"errors", counts.errors},     {"active", counts.active},   {"queue_errors", counts.queue_errors}};
}

// The sums of each wire, of one face or of all.
ordered_json traffic_json(const std::vector<WireTraffic>& all_wires, std::optional<Face> face) {
    std::map<std::string_view, Traffic> wires;
    for (const WireTraffic& each : all_wires)
        if (!face || each.face == *face) wires[each.wire] += each.traffic;
    ordered_json all = ordered_json::array();
    for (const auto& [wire, traffic] : wires)
        all.push_back({{"wire", wire},
                       {"bytes_in", traffic.octets_in},
                       {"bytes_out", traffic.octets_out},
                       {"frames_in", traffic.frames_in},
                       {"frames_out", traffic.frames_out}});
    return all;
}

// The counts of each face that has opened an adapter there.
ordered_json apis_json(const Activity& activity, const std::optional<std::vector<WireTraffic>>& wires) {
    ordered_json all = ordered_json::array();
    for (const Face face : activity.faces()) {
        ordered_json json = {{"api", name(face)}, {"counts", counts_json(activity.counts(face))}};
        if (wires) json["traffic"] = traffic_json(*wires, face);
        all.push_back(std::move(json));
    }
    return all;
}

std::string name_of_interface(std::uint32_t index, const std::vector<Interface>& host) {
    for (const Interface& each : host)
        if (each.index == index) return each.name;
    return {};  // it has gone, or is a device that an administrator added
}

ordered_json interfaces_json(AdapterCatalog& adapters, ReportParts parts, const ReportExtras& extras) {
    const std::vector<Interface> host = interfaces();
    const steady_clock::time_point now = steady_clock::now();
    ordered_json all = ordered_json::array();
    for (const auto& [index, activity] : adapters.activities()) {
        ordered_json connections = ordered_json::array();
        for (const LiveConnection& each : activity->connections()) connections.push_back(connection_json(each, now));
        ordered_json json = {
            {"index", index}, {"name", name_of_interface(index, host)}, {"counts", counts_json(activity->counts())}};
        const auto wires = adapters.traffic(index);
        if (wires) json["traffic"] = traffic_json(*wires, std::nullopt);
        json["apis"] = apis_json(*activity, wires);
        if (extras.latencies) json["latencies"] = latency_json(*extras.latencies, index);
        json["connections"] = std::move(connections);
        report_pending(*activity, json);
        if (parts == ReportParts::objects) report_objects(*activity, extras.standing, now, json);
        all.push_back(std::move(json));
    }
    if (parts == ReportParts::objects) extras.standing.forget_before(now);
    return all;
}

ordered_json settings_json(const SettingsSet& settings) {
    ordered_json all = ordered_json::object();
    for (const auto& [variable, value] : settings) all[variable] = value;
    return all;
}

using recording::LatencyHistogram;

// [[longest_ns, count]]; null instead of the first: the bucket has no end.
ordered_json buckets_json(const LatencyHistogram::Counts& counts) {
    ordered_json all = ordered_json::array();
    for (const auto& [bucket, count] : counts.buckets) {
        const auto longest = LatencyHistogram::longest_of(bucket);
        all.push_back(ordered_json::array({longest ? ordered_json(*longest) : ordered_json(), count}));
    }
    return all;
}

}  // namespace

// Texts of the environment or of a program's name may be no UTF-8.
std::string process_report(std::string_view version, AdapterCatalog& adapters, const SettingsSet& settings,
                           ReportParts parts, const ReportExtras& extras) {
    ordered_json report = {{"pid", ::getpid()},
                           {"program", program_name()},
                           {"user", ::geteuid()},
                           {"version", version},
                           {"interfaces", interfaces_json(adapters, parts, extras)},
                           {"settings", settings_json(settings)}};
    if (extras.capture) report["capture"] = capture_json(*extras.capture);
    if (!extras.faults.empty()) report["faults"] = faults_json(extras.faults);
    return report.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

ordered_json latency_json(const recording::Latencies& latencies, std::uint32_t interface_index) {
    ordered_json all = ordered_json::array();
    for (const recording::Latencies::Told& each : latencies.read(interface_index))
        all.push_back({{"api", name(each.face)},
                       {"wire", each.wire},
                       {"operation", name(each.operation)},
                       {"count", each.counts.count},
                       {"sum_ns", each.counts.sum_ns},
                       {"longest_ns", each.counts.longest_ns},
                       {"buckets", buckets_json(each.counts)}});
    return all;
}

}  // namespace opennd

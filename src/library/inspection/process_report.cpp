// SPDX-License-Identifier: MIT
// See process_report.h.
#include "library/inspection/process_report.h"

#include <unistd.h>

#include <chrono>
#include <vector>

#include <nlohmann/json.hpp>

#include "library/inspection/capture_request.h"
#include "library/inspection/fault_report.h"
#include "library/inspection/object_report.h"
#include "platform/host/interfaces.h"
#include "platform/process/program_name.h"

namespace opennd {
namespace {

using nlohmann::ordered_json;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

const char* name_of(Owner owner) { return owner == Owner::kernel ? "kernel" : "user"; }

ordered_json connection_json(const LiveConnection& connection, steady_clock::time_point now) {
    ordered_json json = {
        {"local", connection.local.text()},
        {"peer", connection.peer.text()},
        {"wire", connection.carrier.wire},
        {"owner", name_of(connection.owner)},
        {"age_ms", std::chrono::duration_cast<milliseconds>(now - connection.since).count()},
    };
    if (connection.queue_pair != 0) json["queue_pair"] = connection.queue_pair;
    if (connection.carrier.peer_process > 0) json["peer_pid"] = connection.carrier.peer_process;
    if (const auto& stream = connection.carrier.stream)
        json["tcp"] = {{"local", stream->local.text()}, {"peer", stream->peer.text()}};
    return json;
}

ordered_json endpoint_json(const LiveEndpoint& endpoint) {
    return {{"local", endpoint.local.text()}, {"listens", endpoint.listens}, {"owner", name_of(endpoint.owner)}};
}

ordered_json counts_json(const ActivityCounts& counts) {
    return {{"connects", counts.connects}, {"accepts", counts.accepts}, {"failures", counts.failures},
            {"errors", counts.errors},     {"active", counts.active},   {"queue_errors", counts.queue_errors}};
}

ordered_json traffic_json(const std::vector<WireTraffic>& wires) {
    ordered_json all = ordered_json::array();
    for (const auto& [wire, traffic] : wires)
        all.push_back({{"wire", wire},
                       {"bytes_in", traffic.octets_in},
                       {"bytes_out", traffic.octets_out},
                       {"frames_in", traffic.frames_in},
                       {"frames_out", traffic.frames_out}});
    return all;
}

std::string name_of_interface(std::uint32_t index, const std::vector<Interface>& host) {
    for (const Interface& each : host)
        if (each.index == index) return each.name;
    return {};  // it has gone, or is a device that an administrator added
}

ordered_json interfaces_json(AdapterCatalog& adapters, ReportParts parts) {
    const std::vector<Interface> host = interfaces();
    const steady_clock::time_point now = steady_clock::now();
    ordered_json all = ordered_json::array();
    for (const auto& [index, activity] : adapters.activities()) {
        ordered_json connections = ordered_json::array(), endpoints = ordered_json::array();
        for (const LiveConnection& each : activity->connections()) connections.push_back(connection_json(each, now));
        for (const LiveEndpoint& each : activity->endpoints()) endpoints.push_back(endpoint_json(each));
        ordered_json json = {
            {"index", index}, {"name", name_of_interface(index, host)}, {"counts", counts_json(activity->counts())}};
        if (const auto wires = adapters.traffic(index)) json["traffic"] = traffic_json(*wires);
        json["connections"] = std::move(connections);
        json["endpoints"] = std::move(endpoints);
        if (parts == ReportParts::objects) report_objects(*activity, json);
        all.push_back(std::move(json));
    }
    return all;
}

ordered_json settings_json(const SettingsSet& settings) {
    ordered_json all = ordered_json::object();
    for (const auto& [variable, value] : settings) all[variable] = value;
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
                           {"interfaces", interfaces_json(adapters, parts)},
                           {"settings", settings_json(settings)}};
    if (extras.capture) report["capture"] = capture_json(*extras.capture);
    if (!extras.faults.empty()) report["faults"] = faults_json(extras.faults);
    return report.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

}  // namespace opennd

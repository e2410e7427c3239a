// SPDX-License-Identifier: MIT
//
// Read rdma.h first.
#include "doctor/rdma/rdma.h"

#include "info/adapters.h"
#include "info/interface.h"
#include "nd_error.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <stdexcept>

namespace nd {
namespace {

using nlohmann::ordered_json;

constexpr SIZE_T kUsualReport = 16384;

bool is_roce(const ordered_json& device) { return text_of(device, "technology").starts_with("RoCE"); }

// "0x15b3"
std::string hexadecimal(const ordered_json& value) {
    char text[24] = "";
    std::snprintf(text, sizeof text, "0x%x", value.get<std::uint32_t>());
    return text;
}

Finding device_finding(const ordered_json& device) {
    const std::string driver = text_of(device, "driver"), firmware = text_of(device, "firmware");
    std::string found = text_of(device, "name") + ", " + text_of(device, "technology") + ", driver " +
                        (driver.empty() ? "unknown" : driver) + (firmware.empty() ? "" : ", firmware " + firmware) +
                        ", vendor " + hexadecimal(device["vendor_id"]) + ", part " + hexadecimal(device["part_id"]) +
                        ", node " + text_of(device, "node_guid");
    if (const std::string node = text_of(device, "numa_node"); !node.empty()) found += ", NUMA node " + node;
    if (!driver.empty()) return {Verdict::good, "device", found};
    return {Verdict::note, "device", found, "OpenND knows no deviation of its driver", "report it with this output"};
}

Finding port_finding(const ordered_json& device) {
    const std::string rate = text_of(device, "rate");
    const std::string found =
        device["port"].dump() + " of " + device["ports"].dump() + (rate.empty() ? "" : ", " + rate);
    if (device["active"].get<bool>()) return {Verdict::good, "port", found + ", active"};
    return {Verdict::problem, "port", found + ", not active", "no connection comes about",
            "see `rdma link`, the cable and the switch; `ip link set DEV up`"};
}

Finding mtu_finding(const ordered_json& device, const SocketAddress& local) {
    const unsigned of_interface = interface_of(local).mtu;
    const std::string found = device["mtu"].dump() + " bytes in a packet, at most " + device["most_mtu"].dump() +
                              "; the interface has " + std::to_string(of_interface);
    if (!is_roce(device) || device["mtu"] >= device["most_mtu"]) return {Verdict::good, "MTU of the port", found};
    return {Verdict::note, "MTU of the port", found, "a message takes more packets, each with its cost",
            "raise the MTU of the interface, of the peer's and of the switches alike (`ip link set DEV mtu 9000`)"};
}

// Returns an address in the form that the table of GIDs has.
std::string gid_of(const SocketAddress& local) {
    const std::string host = local.host();
    return local.family() == AF_INET ? "::ffff:" + host : host.substr(0, host.find('%'));
}

Finding gid_finding(const ordered_json& device, const SocketAddress& local) {
    const std::string wanted = gid_of(local);
    std::string own;
    for (const ordered_json& gid : device["gids"])
        if (text_of(gid, "gid") == wanted)
            own += (own.empty() ? "" : "; ") + std::string("index ") + gid["index"].dump() + ", " +
                   text_of(gid, "type") + ", " + text_of(gid, "interface");
    const std::string all = std::to_string(device["gids"].size()) + " in the table";
    if (!is_roce(device)) return {Verdict::good, "GIDs", all};
    if (!own.empty()) return {Verdict::good, "GIDs", all + "; " + local.host() + ": " + own};
    return {Verdict::problem, "GIDs", all + ", none of " + local.host(), "no connection from that address comes about",
            "wait a moment behind a new address; the interface must be up; see `rdma link`"};
}

Finding limits_finding(const ordered_json& device) {
    std::string less;
    for (const ordered_json& limit : device["limits"]) {
        if (limit["used"] >= limit["asked"]) continue;
        less += (less.empty() ? "" : "; ") + text_of(limit, "name") + " " + limit["used"].dump() + " of " +
                limit["asked"].dump();
        if (limit["told"] > limit["used"]) less += ", though the device tells " + limit["told"].dump();
    }
    if (less.empty()) return {Verdict::good, "limits", "all that OpenND asks for"};
    return {Verdict::note, "limits", less, "Query tells programs less than the software transports have"};
}

void add_ability(std::string& text, const ordered_json& device, const char* member, const char* name) {
    text += std::string("; ") + (device[member].get<bool>() ? "" : "no ") + name;
}

Finding abilities_finding(const ordered_json& device) {
    std::string found = device["vectors"].dump() + " completion vectors";
    add_ability(found, device, "has_windows", "memory windows");
    add_ability(found, device, "has_shared_receives", "shared receive queues");
    add_ability(found, device, "pages_on_demand", "paging on demand");
    add_ability(found, device, "moderates_interrupts", "moderation of interrupts");
    add_ability(found, device, "exchanges_ece", "ECE");
    if (device["tells_windows"] == device["has_windows"]) return {Verdict::good, "abilities", found};
    return {Verdict::note, "abilities", found + "; its flags tell of windows, and a trial made none, or the reverse",
            "OpenND goes by the trial"};
}

Finding quirks_finding(const ordered_json& device) {
    std::string known;
    for (const ordered_json& quirk : device["quirks"]) known += (known.empty() ? "" : "; ") + quirk.get<std::string>();
    if (known.empty()) return {Verdict::good, "deviations", "none is known of its driver"};
    return {Verdict::good, "deviations", known, "OpenND makes up for them"};
}

Finding path_finding(const ordered_json& device) {
    return {Verdict::good, "a path that is down",
            "for " + device["path_ms"].dump() + " ms (OPENND_VERBS_PATH_MS), by the device's steps " +
                device["path_of_device_ms"].dump() + " ms or up to four times as long",
            "a connection ends when its path is down for longer"};
}

}  // namespace

ordered_json device_facts(const SocketAddress& local, std::string& reason) {
    std::string text(kUsualReport, '\0');
    SIZE_T needed = 0;
    HRESULT status = opennd_device_report(local.data(), local.length(), text.data(), text.size(), &needed);
    if (status == ND_BUFFER_OVERFLOW) {
        text.resize(needed);
        status = opennd_device_report(local.data(), local.length(), text.data(), text.size(), &needed);
    }
    if (status == ND_NOT_SUPPORTED) {
        opennd_error error = {};
        error.bytes = sizeof error;
        if (opennd_last_error(&error) == ND_SUCCESS) reason = error.limit;
        return {};
    }
    check(status, "describe the device of " + local.host(), "opennd_device_report");
    return ordered_json::parse(text.c_str());
}

Findings check_device(const ordered_json& device, const SocketAddress& local) {
    Findings findings{device_finding(device),     port_finding(device),   mtu_finding(device, local),
                      gid_finding(device, local), limits_finding(device), abilities_finding(device),
                      quirks_finding(device)};
    // On iWARP it is TCP's own.
    if (text_of(device, "technology") != "iWARP") findings.push_back(path_finding(device));
    return findings;
}

}  // namespace nd

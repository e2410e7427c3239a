// SPDX-License-Identifier: MIT
//
// Read info.h first.
#include "info.h"

#include "counters.h"
#include "nd_error.h"
#include "network/adapter.h"
#include "profiles.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <set>
#include <utility>

namespace nd {
namespace {

using nlohmann::ordered_json;

// Names as in ND2_ADAPTER_INFO, so that they can be looked up.
ordered_json limits_json(const ND2_ADAPTER_INFO& info) {
    return {
        {"InfoVersion", info.InfoVersion},
        {"VendorId", info.VendorId},
        {"DeviceId", info.DeviceId},
        {"AdapterId", info.AdapterId},
        {"MaxRegistrationSize", info.MaxRegistrationSize},
        {"MaxWindowSize", info.MaxWindowSize},
        {"MaxInitiatorSge", info.MaxInitiatorSge},
        {"MaxReceiveSge", info.MaxReceiveSge},
        {"MaxReadSge", info.MaxReadSge},
        {"MaxTransferLength", info.MaxTransferLength},
        {"MaxInlineDataSize", info.MaxInlineDataSize},
        {"MaxInboundReadLimit", info.MaxInboundReadLimit},
        {"MaxOutboundReadLimit", info.MaxOutboundReadLimit},
        {"MaxReceiveQueueDepth", info.MaxReceiveQueueDepth},
        {"MaxInitiatorQueueDepth", info.MaxInitiatorQueueDepth},
        {"MaxSharedReceiveQueueDepth", info.MaxSharedReceiveQueueDepth},
        {"MaxCompletionQueueDepth", info.MaxCompletionQueueDepth},
        {"InlineRequestThreshold", info.InlineRequestThreshold},
        {"LargeRequestThreshold", info.LargeRequestThreshold},
        {"MaxCallerData", info.MaxCallerData},
        {"MaxCalleeData", info.MaxCalleeData},
    };
}

ordered_json flags_json(ULONG flags) {
    static const std::pair<ULONG, const char*> kNames[] = {
        {ND_ADAPTER_FLAG_IN_ORDER_DMA_SUPPORTED, "IN_ORDER_DMA_SUPPORTED"},
        {ND_ADAPTER_FLAG_CQ_INTERRUPT_MODERATION_SUPPORTED, "CQ_INTERRUPT_MODERATION_SUPPORTED"},
        {ND_ADAPTER_FLAG_MULTI_ENGINE_SUPPORTED, "MULTI_ENGINE_SUPPORTED"},
        {ND_ADAPTER_FLAG_CQ_RESIZE_SUPPORTED, "CQ_RESIZE_SUPPORTED"},
        {ND_ADAPTER_FLAG_LOOPBACK_CONNECTIONS_SUPPORTED, "LOOPBACK_CONNECTIONS_SUPPORTED"},
    };
    ordered_json names = ordered_json::array();
    for (const auto& [bit, name] : kNames)
        if ((flags & bit) != 0) names.push_back(name);
    return names;
}

// The path of a connection to `remote`. Reaching nothing is an answer here, not a failure.
ordered_json transport_json(const SocketAddress& remote) {
    char name[32] = "", reason[512] = "";
    const HRESULT status =
        opennd_transport_explain(remote.data(), remote.length(), name, sizeof name, reason, sizeof reason);
    if (status != ND_NETWORK_UNREACHABLE)
        check(status, "tell the transport to " + remote.host(), "opennd_transport_explain");
    ordered_json transport = {{"name", nullptr}, {"reason", reason}};
    if (status == ND_SUCCESS) transport["name"] = name;
    return transport;
}

ordered_json address_json(const SocketAddress& address) {
    return {
        {"address", address.host()},
        {"family", address.family() == AF_INET6 ? "ipv6" : "ipv4"},
        {"transport", transport_json(address)},
    };
}

ordered_json adapter_json(const Adapter& adapter) {
    ordered_json addresses = ordered_json::array();
    for (const SocketAddress& address : adapter.all_addresses()) addresses.push_back(address_json(address));
    return {
        {"addresses", addresses},
        {"limits", limits_json(adapter.limits())},
        {"flags", flags_json(adapter.limits().AdapterFlags)},
    };
}

// Each adapter once, though the list has all of its addresses.
ordered_json adapters_json() {
    ordered_json adapters = ordered_json::array();
    std::set<UINT64> seen;
    for (const SocketAddress& address : local_addresses()) {
        const Adapter adapter(address, Api::nd2);
        if (seen.insert(adapter.limits().AdapterId).second) adapters.push_back(adapter_json(adapter));
    }
    return adapters;
}

ordered_json choices_json() {
    ULONG count = 0;
    const opennd_choice* const choices = opennd_choices(&count);
    ordered_json all = ordered_json::array();
    for (ULONG i = 0; i < count; ++i)
        all.push_back({{"subject", choices[i].subject},
                       {"value", choices[i].value},
                       {"ground", choices[i].ground},
                       {"reason", choices[i].reason},
                       {"setting", choices[i].variable}});
    return all;
}

const char* name_of(opennd_setting_source source) {
    switch (source) {
        case OPENND_SETTING_DEFAULT: return "default";
        case OPENND_SETTING_ENVIRONMENT: return "environment";
        case OPENND_SETTING_REFUSED: return "default, for the environment has a value that is not taken";
    }
    return "";
}

ordered_json settings_json() {
    ULONG count = 0;
    const opennd_setting* const settings = opennd_settings(&count);
    ordered_json all = ordered_json::array();
    for (ULONG i = 0; i < count; ++i) {
        char value[1024] = "";
        opennd_setting_source source{};
        check(opennd_setting_value(settings[i].variable, value, sizeof value, &source), "read a setting",
              "opennd_setting_value");
        all.push_back({{"variable", settings[i].variable},
                       {"value", value},
                       {"source", name_of(source)},
                       {"default", settings[i].default_value},
                       {"values", settings[i].values},
                       {"meaning", settings[i].meaning}});
    }
    return all;
}

ordered_json report_json(const InfoOptions& options) {
    ordered_json report = {{"version", opennd_version()}, {"profile", profile_json()}, {"adapters", adapters_json()}};
    if (options.counters) report["interfaces"] = interfaces_json();
    if (options.tuning) report["tuning"] = choices_json();
    if (options.settings) report["settings"] = settings_json();
    if (options.profiles) report["profiles"] = profiles_json();
    if (!options.peer.empty()) {
        const SocketAddress peer = SocketAddress::parse(options.peer);
        report["peer"] = {{"address", peer.host()}, {"transport", transport_json(peer)}};
    }
    return report;
}

void print_transport(const char* label, const ordered_json& transport) {
    const std::string name = transport["name"].is_null() ? "none" : transport["name"].get<std::string>();
    std::printf("  %-28s %s: %s\n", label, name.c_str(), transport["reason"].get_ref<const std::string&>().c_str());
}

void print_adapter(const ordered_json& adapter) {
    std::printf("\nadapter %s\n", adapter["limits"]["AdapterId"].dump().c_str());
    for (const ordered_json& address : adapter["addresses"]) {
        std::printf("  %-28s %s\n", "address", address["address"].get_ref<const std::string&>().c_str());
        print_transport("transport to it", address["transport"]);
    }
    for (const auto& [name, value] : adapter["limits"].items())
        std::printf("  %-28s %s\n", name.c_str(), value.dump().c_str());
    const char* label = "AdapterFlags";
    for (const ordered_json& flag : adapter["flags"]) {
        std::printf("  %-28s %s\n", label, flag.get_ref<const std::string&>().c_str());
        label = "";
    }
}

void print_choices(const ordered_json& choices) {
    const auto text = [](const ordered_json& value) { return value.get_ref<const std::string&>().c_str(); };
    std::printf("\ntuning\n");
    for (const ordered_json& choice : choices) {
        std::printf("  %-28s %s\n", text(choice["subject"]), text(choice["value"]));
        std::printf("    %-26s %s: %s\n", "decided by", text(choice["ground"]), text(choice["reason"]));
        std::printf("    %-26s %s\n", "setting", text(choice["setting"]));
    }
}

void print_settings(const ordered_json& settings) {
    const auto text = [](const ordered_json& value) { return value.get<std::string>(); };
    const auto or_none = [](const std::string& value) { return value.empty() ? std::string("(none)") : value; };
    std::printf("\nsettings\n");
    for (const ordered_json& setting : settings) {
        std::printf("  %-28s %s\n", text(setting["variable"]).c_str(), or_none(text(setting["value"])).c_str());
        std::printf("    %-26s %s\n", "from", text(setting["source"]).c_str());
        std::printf("    %-26s %s\n", "default", or_none(text(setting["default"])).c_str());
        std::printf("    %-26s %s\n", "values", text(setting["values"]).c_str());
    }
}

void print_report(const ordered_json& report) {
    std::printf("OpenND %s\n", report["version"].get_ref<const std::string&>().c_str());
    print_profile(report["profile"]);
    if (report["adapters"].empty()) std::printf("no adapter: this host has no address that Network Direct serves\n");
    for (const ordered_json& adapter : report["adapters"]) print_adapter(adapter);
    if (report.contains("interfaces")) {
        print_interfaces(report["interfaces"], "capabilities");
        print_interfaces(report["interfaces"], "counters");
    }
    if (report.contains("tuning")) print_choices(report["tuning"]);
    if (report.contains("settings")) print_settings(report["settings"]);
    if (report.contains("profiles")) print_profiles(report["profiles"]);
    if (!report.contains("peer")) return;
    std::printf("\npeer %s\n", report["peer"]["address"].get_ref<const std::string&>().c_str());
    print_transport("transport to it", report["peer"]["transport"]);
}

}  // namespace

void define_info_options(CLI::App& command, InfoOptions& options) {
    command.description(
        "Show the adapters of this host (one for each network interface; that of loopback only where there is no "
        "other), "
        "their addresses, which transport a connection to each takes and why, and the limits (ND2_ADAPTER_INFO).");
    command.add_flag("--json", options.json, "Print JSON");
    command.add_flag("--counters", options.counters,
                     "Show also the NDK counters and capabilities of each interface; the counters are of this process "
                     "alone; a program reads its own with opennd_ndk_query_statistics");
    command.add_flag(
        "--tuning", options.tuning,
        "Show also the choices that the library makes for this machine, how each was decided, and the setting "
        "that decides it instead");
    command.add_flag("--settings", options.settings,
                     "Show also the settings: the value of each as the environment has it, where that comes from, the "
                     "default, and the values that it may have");
    command.add_flag(
        "--profiles", options.profiles,
        "Show also the profiles of NICs that OPENND_PROFILE may name: each published figure, the number that Query "
        "gives under the profile, and where it is published");
    command.add_option("--peer", options.peer, "Tell also which transport a connection to this address would take")
        ->type_name("ADDRESS");
    command
        .add_option("--transport", options.transport,
                    "Transports to choose from, in order (loopback,shm), or to leave out (^loopback)")
        ->type_name("LIST");
}

int run_info(const InfoOptions& options) {
    Library library(options.transport);
    const ordered_json report = report_json(options);
    if (options.json)
        std::printf("%s\n", report.dump(2).c_str());
    else
        print_report(report);
    return 0;
}

}  // namespace nd

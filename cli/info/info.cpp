// SPDX-License-Identifier: MIT
//
// Read info.h first.
#include "info/info.h"

#include "counters.h"
#include "info/adapters.h"
#include "nd_error.h"
#include "network/adapter.h"
#include "profiles.h"
#include "text/wrapped_text.h"
#include "usage/side_options.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cstdio>

namespace nd {
namespace {

using nlohmann::ordered_json;

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
    ordered_json report = {
        {"version", opennd_version()}, {"profile", profile_json()}, {"adapters", adapters_json(options.adapters)}};
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

std::string or_none(const std::string& value) { return value.empty() ? "(none)" : value; }

// Prints a detail of a fact that was printed before.
void print_detail(const char* label, const std::string& value) {
    print_fact((std::string("  ") + label).c_str(), value);
}

void print_choices(const ordered_json& choices) {
    std::printf("\ntuning\n");
    for (const ordered_json& choice : choices) {
        print_fact(text_of(choice, "subject").c_str(), text_of(choice, "value"));
        print_detail("decided by", text_of(choice, "ground") + ": " + text_of(choice, "reason"));
        print_detail("setting", text_of(choice, "setting"));
    }
}

void print_settings(const ordered_json& settings) {
    std::printf("\nsettings\n");
    for (const ordered_json& setting : settings) {
        print_fact(text_of(setting, "variable").c_str(), or_none(text_of(setting, "value")));
        print_detail("from", text_of(setting, "source"));
        print_detail("default", or_none(text_of(setting, "default")));
        print_detail("values", text_of(setting, "values"));
    }
}

void print_report(const ordered_json& report, bool verbose) {
    std::printf("OpenND %s\n", report["version"].get_ref<const std::string&>().c_str());
    print_profile(report["profile"]);
    if (report["adapters"].empty()) std::printf("no adapter: this host has no address that Network Direct serves\n");
    if (!verbose && !report["adapters"].empty()) print_adapters(report["adapters"]);
    if (verbose)
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
    print_transport(report["peer"]["transport"]);
}

}  // namespace

void define_info_options(CLI::App& command, InfoOptions& options) {
    command.description(
        "Show the adapters of this host: a line for each network interface, that of loopback only where there is no "
        "other, with state, MTU, rate of the link, address, and the transports of connections within this host and to "
        "others. With -v all addresses, the reasons for their transports, limits and flags (ND2_ADAPTER_INFO).");
    command.add_option("ADAPTER", options.adapters, "Only the adapters of these interfaces or addresses");
    command.add_flag("-v,--verbose", options.verbose, "Show all that is known of each adapter");
    define_json_options(command, options, "Print JSON, with all that is known");
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
    define_transport_option(command, options.transport);
}

int run_info(const InfoOptions& options) {
    Library library(options.transport);
    const ordered_json report = report_json(options);
    if (options.json)
        JsonOutput(options).print(report);
    else
        print_report(report, options.verbose);
    return 0;
}

}  // namespace nd

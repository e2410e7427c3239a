// SPDX-License-Identifier: MIT
//
// Read doctor.h first.
#include "doctor/doctor.h"

#include "doctor/checks.h"
#include "nd_error.h"
#include "network/adapter.h"
#include "network/socket_address.h"
#include "text/wrapped_text.h"
#include "usage/within.h"

#include <sys/utsname.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>

namespace nd {
namespace {

const char* name_of(Verdict verdict) {
    switch (verdict) {
        case Verdict::good: return "good";
        case Verdict::note: return "note";
        case Verdict::problem: return "problem";
    }
    return "";
}

Style style_of(Verdict verdict) {
    switch (verdict) {
        case Verdict::good: return Style::good;
        case Verdict::note: return Style::note;
        case Verdict::problem: return Style::problem;
    }
    return Style::plain;
}

std::string system_text() {
    utsname system{};
    if (::uname(&system) != 0) return "an unknown system";
    return std::string(system.sysname) + " " + system.release + " " + system.machine;
}

// Each adapter is opened, as a program would.
Finding check_adapters() {
    const std::vector<SocketAddress> addresses = local_addresses();
    std::string listed;
    for (const SocketAddress& address : addresses) {
        try {
            const Adapter opened(address, Api::nd2);
        } catch (const NdError& failure) {
            return {Verdict::problem, "adapters", failure.what(), "programs cannot use " + address.host(),
                    "see OPENND_LOG=warn for the reason"};
        }
        listed += (listed.empty() ? "" : ", ") + address.host();
    }
    if (!addresses.empty()) return {Verdict::good, "adapters", listed};
    return {
        Verdict::problem, "adapters", "none", "programs find no adapter",
        "give this host an address; for programs of one host the loopback interface is enough (`ip link set lo up`)"};
}

Findings examine(const DoctorOptions& options) {
    Findings all;
    const auto add = [&all](Findings some) { std::ranges::move(some, std::back_inserter(all)); };
    add(check_processors());
    add(check_memory());
    add(check_process());
    add(check_hardware());
    const Library library;
    add({check_adapters()});
    if (!options.peer.empty()) add(check_peer(address_with_port(options.peer, options.port, 0)));
    return all;
}

void print_part(const char* name, const std::string& text) {
    char label[32] = "";
    std::snprintf(label, sizeof label, "           %-12s ", name);
    if (!text.empty()) print_wrapped(label, text);
}

void print_text(const Findings& findings) {
    std::printf("OpenND %s on %s\n", opennd_version(), system_text().c_str());
    for (const Finding& finding : findings) {
        char label[32] = "";
        std::snprintf(label, sizeof label, "  %-8s ", name_of(finding.verdict));
        print_wrapped(label, finding.subject + ": " + finding.found, style_of(finding.verdict));
        print_part("therefore", finding.consequence);
        print_part("remedy", finding.remedy);
    }
}

nlohmann::ordered_json report_of(const Findings& findings) {
    using nlohmann::ordered_json;
    ordered_json all = ordered_json::array();
    for (const Finding& finding : findings)
        all.push_back({{"verdict", name_of(finding.verdict)},
                       {"subject", finding.subject},
                       {"found", finding.found},
                       {"consequence", finding.consequence},
                       {"remedy", finding.remedy}});
    return {{"version", opennd_version()}, {"system", system_text()}, {"findings", all}};
}

}  // namespace

void define_doctor_options(CLI::App& command, DoctorOptions& options) {
    command.description(
        "Tell limits of this host, and remedies: those of container and user too, with their consequences; with an "
        "address, also the way to it. Nothing is changed. Exit code 1: something stands in the way.");
    command.add_option("ADDRESS", options.peer,
                       "A peer that programs of this host connect to: an address or a name, with a port as host:7174");
    command.add_option("-p,--port", options.port, "Its port: try also whether somebody listens there over TCP")
        ->type_name("PORT")
        ->check(within(0, 65535))
        ->needs("ADDRESS");
    define_json_options(command, options, "Print JSON");
}

int run_doctor(const DoctorOptions& options) {
    const Findings findings = examine(options);
    if (options.json)
        JsonOutput(options).print(report_of(findings));
    else
        print_text(findings);
    const bool in_the_way =
        std::ranges::any_of(findings, [](const Finding& each) { return each.verdict == Verdict::problem; });
    return in_the_way ? 1 : 0;
}

}  // namespace nd

// SPDX-License-Identifier: MIT
//
// Read doctor.h first.
#include "doctor/doctor.h"

#include "doctor/checks.h"
#include "doctor/rdma/rdma.h"
#include "info/interface.h"
#include "nd_error.h"
#include "network/adapter.h"
#include "network/socket_address.h"
#include "text/wrapped_text.h"
#include "usage/side_options.h"
#include "usage/within.h"

#include <sys/utsname.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <stdexcept>

namespace nd {
namespace {

struct Examination {
    Findings findings;
    nlohmann::ordered_json device;  // with --rdma; null: none has the address
};

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

void add(Findings& all, Findings some) { std::ranges::move(some, std::back_inserter(all)); }

SocketAddress own_address(const std::string& named) {
    const std::vector<SocketAddress> addresses = addresses_named(named);
    if (addresses.empty())
        throw std::invalid_argument("--rdma takes an address of this host, or one of its network interfaces; '" +
                                    named + "' is neither");
    return addresses.front();
}

// No adapter is open: the transports are those of --rdma from here on.
void examine_device(const DoctorOptions& options, Examination& all) {
    const SocketAddress local = own_address(options.rdma);
    std::string reason;
    all.device = device_facts(local, reason);
    const std::string transport = options.transport.empty() ? "verbs" : options.transport;
    check(opennd_transport_select(transport.c_str()), "choose the transports " + transport, "opennd_transport_select");
    if (!all.device.is_null()) {
        add(all.findings, check_device(all.device, local));
        add(all.findings, {check_provider(all.device)});
    } else {
        add(all.findings, {{Verdict::problem, "device", "none has " + local.host() + ": " + reason,
                            "its connections go over TCP and shared memory", "see `rdma link` and docs/verbs.md"}});
        if (options.transport.empty()) return;
    }
    add(all.findings, check_requests(local));
    add(all.findings, measure_device(local, transport));
}

Examination examine(const DoctorOptions& options) {
    Examination examined;
    Findings& all = examined.findings;
    add(all, check_processors());
    add(all, check_memory());
    add(all, check_process());
    add(all, check_hardware());
    const Library library;
    add(all, {check_adapters()});
    if (!options.peer.empty()) add(all, check_peer(address_with_port(options.peer, options.port, 0)));
    if (!options.rdma.empty()) examine_device(options, examined);
    return examined;
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

nlohmann::ordered_json report_of(const Examination& examined) {
    using nlohmann::ordered_json;
    ordered_json all = ordered_json::array();
    for (const Finding& finding : examined.findings)
        all.push_back({{"verdict", name_of(finding.verdict)},
                       {"subject", finding.subject},
                       {"found", finding.found},
                       {"consequence", finding.consequence},
                       {"remedy", finding.remedy}});
    ordered_json report = {{"version", opennd_version()}, {"system", system_text()}, {"findings", all}};
    if (!examined.device.is_null()) report["device"] = examined.device;
    return report;
}

}  // namespace

void define_doctor_options(CLI::App& command, DoctorOptions& options) {
    command.description(
        "Tell limits of this host, and remedies: those of container and user too, with their consequences; with an "
        "address, also the way to it; with --rdma, also an RDMA device, which moves data for some seconds. Nothing is "
        "changed. Exit code 1: something stands in the way.");
    command.add_option("ADDRESS", options.peer,
                       "A peer that programs of this host connect to: an address or a name, with a port as host:7174");
    command.add_option("-p,--port", options.port, "Its port: try also whether somebody listens there over TCP")
        ->type_name("PORT")
        ->check(within(0, 65535))
        ->needs("ADDRESS");
    CLI::Option* rdma =
        command
            .add_option("--rdma", options.rdma,
                        "Examine the RDMA device that has this address of the host, or this network interface: the "
                        "device and its limits, every kind of request between the host and itself with every byte "
                        "compared, waits, ends, latencies and rates")
            ->type_name("ADDRESS");
    define_transport_option(command, options.transport);
    command.get_option("--transport")
        ->description(
            "With --rdma: the transports to move data over, also where no device has the address (default: "
            "verbs)")
        ->needs(rdma);
    define_json_options(command, options, "Print JSON");
}

int run_doctor(const DoctorOptions& options) {
    const Examination examined = examine(options);
    const Findings& findings = examined.findings;
    if (options.json)
        JsonOutput(options).print(report_of(examined));
    else
        print_text(findings);
    const bool in_the_way =
        std::ranges::any_of(findings, [](const Finding& each) { return each.verdict == Verdict::problem; });
    return in_the_way ? 1 : 0;
}

}  // namespace nd

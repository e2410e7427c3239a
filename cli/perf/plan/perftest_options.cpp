// SPDX-License-Identifier: MIT
//
// Read perftest_options.h first.
#include "perf/plan/perftest_options.h"

#include "doctor/small_file.h"
#include "info/interface.h"
#include "perf/plan/perf_options.h"
#include "text/complaint.h"
#include "usage/within.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <stdexcept>

namespace nd {
namespace {

constexpr std::string_view kProgramPrefix = "ib_";
constexpr unsigned kFirstPort = 1;  // of an RDMA device

void tell(const std::string& what) { print_complaint("nd perf: " + what); }

// The network interface behind a port of an RDMA device; empty where there is none.
std::string interface_of_device(const std::string& device, unsigned port) {
    return first_line("/sys/class/infiniband/" + device + "/ports/" + std::to_string(port) + "/gid_attrs/ndevs/0")
        .value_or("");
}

// The address of the adapter that -d and -i name. A client takes one of its server's family.
std::string address_of_device(const PerfOptions& options) {
    const PerftestOptions& asked = options.perftest;
    const unsigned port = asked.device_port.value_or(kFirstPort);
    const std::string behind = interface_of_device(asked.device, port);
    if (behind.empty() && port != kFirstPort)
        throw std::invalid_argument("-i " + std::to_string(port) + ": '" + asked.device +
                                    "' has no such port; each interface is an adapter of its own, which -d names");
    const std::vector<SocketAddress> addresses = addresses_named(behind.empty() ? asked.device : behind);
    if (addresses.empty())
        throw std::invalid_argument("-d: '" + asked.device +
                                    "' is no network interface with an address, and no RDMA device with one; `nd "
                                    "info` lists the adapters");
    if (options.server_address.empty()) return addresses.front().host();
    const int family = SocketAddress::parse(options.server_address).family();
    const auto fitting = std::ranges::find(addresses, family, &SocketAddress::family);
    return (fitting == addresses.end() ? addresses.front() : *fitting).host();
}

// A port alone names an adapter only if it is the first.
void choose_no_port(unsigned port) {
    if (port != kFirstPort)
        throw std::invalid_argument("-i " + std::to_string(port) +
                                    " needs the device, -d; or name the adapter by its address, --local");
    tell("-i has no meaning without -d: the address of the adapter names device and port");
}

void follow_program(PerfOptions& options) {
    const std::string& program = options.perftest.program;
    if (program.empty()) return;
    const bool other_side = options.self || options.threads || options.server || !options.server_address.empty();
    if (other_side) return tell(program + " is " + options.test + " here");
    tell(program + " without a server's address is the server, as --server: it serves one client and any test");
    options.server = true;
}

}  // namespace

void take_perftest_programs(CLI::Option& test, PerftestOptions& options) {
    test.transform(CLI::Validator(
        [&options](std::string& word) {
            if (!word.starts_with(kProgramPrefix)) return std::string();
            if (word.starts_with("ib_atomic")) return "'" + word + "': Network Direct has no atomics";
            options.program = word;
            word.erase(0, kProgramPrefix.size());
            return std::string();
        },
        ""));
}

void define_perftest_options(CLI::App& command, PerftestOptions& options) {
    const auto add = [&command](const char* names, auto& value, const char* meaning) {
        return command.add_option(names, value, meaning)->group("Options of perftest");
    };
    add("-d,--ib-dev", options.device, "The adapter of this network interface, or of this RDMA device")
        ->type_name("DEVICE")
        ->excludes("--local");
    add("-i,--ib-port", options.device_port, "With -d: the port of an RDMA device (default 1)")
        ->type_name("PORT")
        ->check(within(1, 255));
    add("-c,--connection", options.connection, "RC alone: Network Direct is reliable and connected")
        ->type_name("RC")
        ->check(CLI::Validator(
            [](std::string& type) {
                return type == "RC" ? std::string()
                                    : "'" + type + "': Network Direct is reliable and connected, as RC alone";
            },
            ""));
    add("-x,--gid-index", options.gid_index, "No meaning: the address of the adapter decides about the GID")
        ->type_name("INDEX");
    add("-f,--margin", options.margin_seconds, "No meaning: all of -D counts, and --warmup comes before it")
        ->type_name("SECONDS");
    add("-u,--qp-timeout", options.timeout, "No meaning: Network Direct leaves it to the transport")->type_name("N");
    add("-m,--mtu", options.mtu, "No meaning: the interface of the adapter has one")->type_name("BYTES");
    add("-S,--sl", options.service_level, "No meaning: OPENND_VERBS_TOS sets the class of traffic")->type_name("LEVEL");
    add("-T,--tos,--tclass", options.traffic_class, "No meaning: OPENND_VERBS_TOS sets the class of traffic")
        ->type_name("OCTET");
    command
        .add_flag("-F,--CPU-freq,-R,--rdma_cm,-z,--com_rdma_cm", options.as_always,
                  "As always here: no warning about frequencies, and connections by address")
        ->group("Options of perftest");
}

void follow_perftest(PerfOptions& options) {
    const PerftestOptions& asked = options.perftest;
    if (asked.gid_index)
        tell("-x has no meaning here: the address of the adapter decides about the GID; --local chooses it");
    if (asked.margin_seconds) tell("-f has no meaning here: all of -D counts, and --warmup comes before it");
    if (asked.timeout) tell("-u has no meaning here: Network Direct leaves timeouts to the transport");
    if (asked.mtu) tell("-m has no meaning here: the interface of the adapter has one; `ip link` sets it");
    if (asked.service_level || asked.traffic_class)
        tell(std::string(asked.service_level ? "-S" : "-T") +
             " has no meaning here: OPENND_VERBS_TOS sets the class of traffic, over RDMA hardware");
    if (!asked.device.empty())
        options.local = address_of_device(options);
    else if (asked.device_port)
        choose_no_port(*asked.device_port);
    follow_program(options);
}

}  // namespace nd

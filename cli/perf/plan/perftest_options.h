// SPDX-License-Identifier: MIT
//
// The words of perftest that `nd perf` knows beside its own, so that a command line of ib_send_lat and its kin works as it stands.
#pragma once

#include <optional>
#include <string>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace nd {

struct PerfOptions;

struct PerftestOptions {
    std::string program;  // "ib_send_lat", where TEST was named so
    std::string device;   // of -d: a network interface, or an RDMA device
    std::string connection = "RC";
    std::optional<unsigned> device_port, gid_index, timeout, mtu, service_level, traffic_class;
    std::optional<double> margin_seconds;
    bool as_always = false;  // -F, -R or -z, which nd perf obeys in any case
};

// Takes ib_send_lat and its kin as send_lat. `test`: the option TEST.
void take_perftest_programs(CLI::Option& test, PerftestOptions& options);

void define_perftest_options(CLI::App& command, PerftestOptions& options);

// Turns them into options of nd perf, and tells on standard error which of them have no meaning here, and why. Throws
// std::invalid_argument where something else than asked would be measured.
void follow_perftest(PerfOptions& options);

}  // namespace nd

// SPDX-License-Identifier: MIT
//
// `nd metrics`: the counters of running processes for Prometheus.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace nd {

struct MetricsOptions {
    std::string listen;  // "127.0.0.1:19100", "[::1]:19100" or a port of 127.0.0.1; empty: no server
    std::string output;  // a file; empty: standard output
};

void define_metrics_options(CLI::App& command, MetricsOptions& options);

// Exit code. As a server it returns after SIGTERM, and throws Interrupted after SIGINT.
int run_metrics(const MetricsOptions& options);

}  // namespace nd

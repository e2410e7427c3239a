// SPDX-License-Identifier: MIT
//
// `nd ping`: which side, or both.
#include "ping/ping.h"

#include "interruption.h"
#include "text/complaint.h"

#include <cstdio>
#include <stdexcept>

namespace nd {
namespace {

void announce(const SocketAddress& listening, bool rping) {
    std::printf("listening at %s\n  on the other side: nd ping %s%s -p %u\n", listening.text().c_str(),
                rping ? "--rping " : "", listening.host().c_str(), static_cast<unsigned>(listening.port()));
    std::fflush(stdout);
}

int run_server(const PingOptions& options) {
    handle_interrupts(options.ready_descriptor >= 0 ? OnInterrupt::ignore : OnInterrupt::stop_cleanly);
    serve_pings(options, [&](const SocketAddress& listening) {
        if (options.ready_descriptor >= 0)
            report_ready(options.ready_descriptor, listening);
        else
            announce(listening, options.rping);
    });
    return 0;
}

bool ask(const PingOptions& options, const SocketAddress& server) {
    return options.rping ? rping_server(options, server) : ping_server(options, server);
}

int run_both_sides(const PingOptions& options) {
    const SocketAddress host = options.local_for_self();
    std::vector<std::string> arguments = options.server_arguments("ping", host, options.size);
    if (options.rping) arguments.insert(arguments.end(), {"--rping", "--size", std::to_string(options.size)});
    std::unique_ptr<SelfServer> server = start_server_process(std::move(arguments), host);
    const bool verified = ask(options, server->address());
    if (!verified) {
        const std::string death = server->early_death();
        if (!death.empty()) print_complaint("nd: " + death);
        return interrupted() ? interrupted_exit() : 1;
    }
    server->finish();
    return 0;
}

}  // namespace

int run_ping(const PingOptions& options) {
    options.api.check(options.self);
    Library library(options.transport);
    if (options.server) return run_server(options);
    handle_interrupts(OnInterrupt::stop_cleanly);
    if (options.self) return run_both_sides(options);
    if (options.server_address.empty())
        throw std::invalid_argument(
            "ping needs the ADDRESS of a server, or --self, or --server\n  nd ping --help tells more");
    const SocketAddress server = address_with_port(options.server_address, options.port, PingOptions::kDefaultPort);
    if (ask(options, server)) return 0;
    return interrupted() ? interrupted_exit() : 1;
}

}  // namespace nd

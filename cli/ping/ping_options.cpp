// SPDX-License-Identifier: MIT
//
// Read ping_options.h first.
#include "ping/ping_options.h"

#include "network/connection/connect_wait.h"
#include "network/transport_option.h"
#include "usage/within.h"

#include <CLI/CLI.hpp>

namespace nd {

void define_ping_options(CLI::App& command, PingOptions& options) {
    command.description(
        "Verified exchange with a server: private data both ways, Send and Receive, then the server reads the client's "
        "buffer with RDMA Read and writes it back inverted with RDMA Write, and each side checks every byte. Exits "
        "with 0 only if all rounds were verified.");
    CLI::Option* address =
        command.add_option("ADDRESS", options.server_address,
                           "The server to ping: an address or a name, with a port as host:7174 or [::1]:7174");
    CLI::Option* self = command.add_flag("--self", options.self, "Start a server in a second process here and ping it");
    CLI::Option* server = command.add_flag("--server", options.server, "Be the server, for one client");
    self->excludes(address)->excludes(server);
    server->excludes(address);
    command.add_flag("--persist", options.persist, "With --server: serve clients until interrupted")->needs(server);
    command
        .add_option("--client-memory", options.client_memory,
                    "With --server: the most bytes that a client may have it allocate; K, M, G mean powers of 1024")
        ->type_name("BYTES")
        ->capture_default_str()
        ->transform(CLI::AsSizeValue(false).description(""))
        ->needs(server);
    command.add_flag(
        "--rping", options.rping,
        "Speak to rdma-core's rping, or to another nd with --rping: its messages, its text, no private data");
    command
        .add_option("--local", options.local,
                    "Address of the adapter to use; by default the one that reaches ADDRESS, with --server the first "
                    "of the host, with --self 127.0.0.1")
        ->type_name("ADDRESS");
    command
        .add_option("-p,--port", options.port,
                    "Port of the server, which ADDRESS may name too; 0 with --server chooses a free one")
        ->type_name("PORT")
        ->default_str(std::to_string(PingOptions::kDefaultPort))
        ->check(within(0, 65535));
    define_timeout_option(command, options.timeout_seconds);
    command.add_option("-c,--count", options.count, "Number of rounds")
        ->type_name("N")
        ->capture_default_str()
        ->check(within(1, 4e9));
    command.add_option("-s,--size", options.size, "Bytes of the buffer; K, M, G mean powers of 1024")
        ->type_name("BYTES")
        ->capture_default_str()
        ->transform(CLI::AsSizeValue(false).description(""));
    define_transport_option(command, options.transport);
    define_api_options(command, options.api);
    command.add_option("--ready-descriptor", options.ready_descriptor)->group("");
}

}  // namespace nd

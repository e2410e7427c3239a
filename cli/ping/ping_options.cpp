// SPDX-License-Identifier: MIT
//
// Read ping_options.h first.
#include "ping/ping_options.h"

#include "usage/within.h"

#include <CLI/CLI.hpp>

namespace nd {

void define_ping_options(CLI::App& command, PingOptions& options) {
    command.description(
        "Verified exchange with a server: private data both ways, Send and Receive, then the server reads the client's "
        "buffer with RDMA Read and writes it back inverted with RDMA Write, and each side checks every byte. Exits "
        "with 0 only if all rounds were verified.");
    define_side_options(command, options,
                        {"The server to ping: an address or a name, with a port as host:7174 or [::1]:7174",
                         "Start a server in a second process here and ping it", "Be the server, for one client",
                         PingOptions::kDefaultPort});
    command.add_flag(
        "--rping", options.rping,
        "Speak to rdma-core's rping, or to another nd with --rping: its messages, its text, no private data");
    command.add_option("-c,--count", options.count, "Number of rounds")
        ->type_name("N")
        ->capture_default_str()
        ->check(within(1, 4e9));
    command.add_option("-s,--size", options.size, "Bytes of the buffer; K, M, G mean powers of 1024")
        ->type_name("BYTES")
        ->capture_default_str()
        ->transform(CLI::AsSizeValue(false).description(""));
}

}  // namespace nd

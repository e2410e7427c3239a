// SPDX-License-Identifier: MIT
//
// The options that `nd ping` and `nd perf` share: which side this is, where the other one is, and how the two meet.
#pragma once

#include "network/api/api.h"
#include "network/memory/client_memory.h"
#include "network/socket_address.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace nd {

// The interface of Network Direct that each side calls.
struct ApiOptions {
    std::string own = "nd2", peer;  // peer: the server's of --self; empty: the same

    Api api() const;
    const std::string& peer_name() const { return peer.empty() ? own : peer; }

    // Throws std::invalid_argument for a --peer-api without a server that it could be for.
    void check(bool server_started_here) const;
};

struct SideOptions {
    bool self = false, server = false, persist = false;
    std::string server_address;  // of the server to ask
    std::string local;           // of the adapter to use; empty chooses one
    std::optional<std::uint16_t> port;
    std::uint64_t client_memory = kClientMemory;
    double timeout_seconds = 0;  // of connecting; 0: as long as the transport waits
    ApiOptions api;
    std::string transport;
    int ready_descriptor = -1;  // of a server that another nd has started

    // The address of the adapter to use with this server, and with one that is started here.
    SocketAddress local_for(const SocketAddress& server) const;
    SocketAddress local_for_self() const;
    // The command line of a server that is started here at `host`, for a client that has as much memory there.
    std::vector<std::string> server_arguments(const char* command, const SocketAddress& host,
                                              std::uint64_t memory) const;
};

// The words that differ between the commands.
struct SideWords {
    const char *address, *self, *server;
    std::uint16_t port;
};
void define_side_options(CLI::App& command, SideOptions& options, const SideWords& words);

// --transport alone, for a command that has no sides.
void define_transport_option(CLI::App& command, std::string& transports);

}  // namespace nd

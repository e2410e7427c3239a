// SPDX-License-Identifier: MIT
//
// What `nd ping` can be asked for.
#pragma once

#include "network/api/api_options.h"
#include "network/memory/client_memory.h"

#include <cstdint>
#include <optional>
#include <string>

namespace CLI {
class App;
}

namespace nd {

struct PingOptions {
    static constexpr std::uint16_t kDefaultPort = 7174;

    bool self = false, server = false, persist = false, rping = false;
    std::string server_address;  // of the server to ping
    std::string local;           // of the adapter to use; empty chooses one
    std::optional<std::uint16_t> port;
    double timeout_seconds = 0;  // of connecting; 0: as long as the transport waits
    std::uint32_t count = 5;
    std::uint64_t size = 64;
    std::uint64_t client_memory = kClientMemory;
    ApiOptions api;
    std::string transport;
    int ready_descriptor = -1;
};

void define_ping_options(CLI::App& command, PingOptions& options);

}  // namespace nd

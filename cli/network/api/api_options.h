// SPDX-License-Identifier: MIT
//
// The options of nd ping and nd perf that choose the interface of Network Direct.
#pragma once

#include "network/api/api.h"

#include <string>

namespace CLI {
class App;
}

namespace nd {

struct ApiOptions {
    std::string own = "nd2", peer;  // peer: the server's of --self; empty: the same

    Api api() const;
    const std::string& peer_name() const { return peer.empty() ? own : peer; }

    // Throws std::invalid_argument for a --peer-api without a server that it could be for.
    void check(bool server_started_here) const;
};

void define_api_options(CLI::App& command, ApiOptions& options);

}  // namespace nd

// SPDX-License-Identifier: MIT
//
// Read api_options.h first.
#include "network/api_options.h"

#include <stdexcept>

namespace nd {

void ApiOptions::check(bool server_started_here) const {
    if (!peer.empty() && !server_started_here)
        throw std::invalid_argument("--peer-api is for a server started here; a server elsewhere has its own --api");
}

void define_api_options(CLI::App& command, ApiOptions& options) {
    const CLI::IsMember names({name_of(Api::nd1), name_of(Api::nd2)});
    command
        .add_option("--api", options.own,
                    "Version of Network Direct to call: nd2 (IND2Adapter ...) or nd1 (INDAdapter ...); the other side "
                    "may call either")
        ->check(names)
        ->capture_default_str();
    command.add_option("--peer-api", options.peer, "The version that a server started here calls (default: as --api)")
        ->check(names);
}

}  // namespace nd

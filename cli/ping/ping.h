// SPDX-License-Identifier: MIT
//
// The two sides of `nd ping`, and the command itself.
#pragma once

#include "network/adapter.h"
#include "ping/ping_options.h"
#include "self/self_server.h"

namespace nd {

// Serves one client, or with --persist many. Throws if a round was not verified.
void serve_pings(const PingOptions& options, const ReadyFunction& ready);

// True if every round was verified, and none left out.
bool ping_server(const PingOptions& options, const SocketAddress& server);
// Likewise, with the exchange of rping (--rping).
bool rping_server(const PingOptions& options, const SocketAddress& server);

// Exit code.
int run_ping(const PingOptions& options);

}  // namespace nd

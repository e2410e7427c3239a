// SPDX-License-Identifier: MIT
//
// Serving one client, whose request has been taken, in either exchange. ping_server.cpp takes requests.
#pragma once

#include "network/adapter.h"
#include "network/connection/message_channel.h"

#include <cstdint>

namespace nd {

// True if every round was verified. Throws when the client goes away within one. `size`: the server's limit.
bool serve_rping_client(Adapter& adapter, MessageChannel& channel, std::uint64_t size);

}  // namespace nd

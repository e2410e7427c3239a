// SPDX-License-Identifier: MIT
//
// What the asking sides of both exchanges have in common: the limits, the rounds and what is printed of them.
#pragma once

#include "network/connection/message_channel.h"
#include "ping/ping_options.h"

#include <cstdint>
#include <functional>

namespace nd {

// Throws if the buffer is nothing, or more than a message can be.
void check_ping_size(const Adapter& adapter, std::uint64_t size);

void announce_connection(const SocketAddress& server, const Connection& connection, const char* private_data);

// Calls exchange with 1, 2, 3 ... as often as asked, until it throws or SIGINT; it returns microseconds. True if every round
// was verified, and none left out.
bool run_rounds(const PingOptions& options, const std::function<double(std::uint32_t)>& exchange);

}  // namespace nd

// SPDX-License-Identifier: MIT
// The host's routing tables, asked for one way.
#pragma once

#include <cstdint>

#include "model/address.h"

namespace opennd {

// By the routing tables and their rules, packets from `from`, an address of this host, reach `to` through the interface with this
// index, though perhaps not first. False also if the kernel does not tell. Sends nothing. Any thread.
bool leads_through(std::uint32_t interface, const Address& from, const Address& to);

}  // namespace opennd

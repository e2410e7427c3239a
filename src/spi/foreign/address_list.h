// SPDX-License-Identifier: MIT
// Reads the list of addresses that another vendor's provider wrote, and checks every part of it.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "model/address.h"
#include "ndspi.h"

namespace opennd {

// The IPv4 and IPv6 addresses of the SOCKET_ADDRESS_LIST in `buffer`; others are left out. Nothing: a count or a pointer
// leads out of the buffer.
std::optional<std::vector<Address>> read_address_list(std::span<const std::byte> buffer);

}  // namespace opennd

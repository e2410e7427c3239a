// SPDX-License-Identifier: MIT
// Addresses and lists of addresses in the caller's buffers, as the faces and the helper functions give them out.
#pragma once

#include <cstddef>
#include <span>

#include "model/address.h"
#include "ndspi.h"

namespace opennd {

// ND2-CON-ADDR-02. `size` is the room before and the size of the address after. ND_SUCCESS; ND_BUFFER_OVERFLOW: `out`
// is NULL or too small, and untouched.
HRESULT write_address(const Address& address, sockaddr* out, std::size_t& size);

// Bytes of a SOCKET_ADDRESS_LIST with the addresses behind it: 8 + 16 n + 16 IPv4 + 28 IPv6 (ND2-PRV-LIST-03).
std::size_t address_list_bytes(std::span<const Address> addresses);

// Writes such a list to a buffer of that size. Ports are 0.
void write_address_list(std::span<const Address> addresses, SOCKET_ADDRESS_LIST* out);

}  // namespace opennd

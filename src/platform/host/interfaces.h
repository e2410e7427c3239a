// SPDX-License-Identifier: MIT
// The interfaces of this host with their IP addresses, and the address from which it reaches another.
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "model/address.h"
#include "model/interface.h"

namespace opennd {

// All of them, by index. Link-local IPv6 addresses carry their scope. Empty if the kernel does not tell (logged). Any thread.
std::vector<Interface> interfaces();

// The local address that routing uses to reach `remote`, port 0. Sends nothing.
//   invalid_address      the unspecified address
//   network_unreachable, host_unreachable
//   internal_error       anything else; logged
Result<Address> source_address_for(const Address& remote);

// `address` is one of this host: packets to it do not leave the host. False also if the kernel does not tell.
bool is_of_this_host(const Address& address);

// The interface that has an address, and the others, up and not loopback, with an address in its subnet: the routing table alone cannot
// say by which of them a peer in that subnet is reached.
struct SubnetInterfaces {
    std::uint32_t home = 0;
    std::vector<std::uint32_t> others = {};
};
// The interfaces in the subnet of `own`, an address of this host. No others for a link-local address: its scope names the interface.
SubnetInterfaces interfaces_in_subnet_of(const Address& own);

}  // namespace opennd

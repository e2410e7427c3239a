// SPDX-License-Identifier: MIT
// The IP addresses of this host, and the one from which it reaches another.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/address.h"

namespace opennd {

// Every address of an interface that is up, once: IPv4, then IPv6, loopback last (ND2-PRV-LIST-04, -05). Link-local IPv6
// addresses carry their scope. Ports are 0. Empty if the kernel does not tell (logged). Any thread.
std::vector<Address> local_addresses();

// A network interface as the kernel numbers and names it, with its addresses in the same order.
struct Interface {
    std::uint32_t index = 0;
    std::string name;
    bool up = false;
    std::vector<Address> addresses;  // none while it is down
};

// All of them, by index. Empty if the kernel does not tell (logged). Any thread.
std::vector<Interface> interfaces();

// The local address that routing uses to reach `remote`, port 0. Sends nothing.
//   invalid_address      the unspecified address
//   network_unreachable, host_unreachable
//   internal_error       anything else; logged
Result<Address> source_address_for(const Address& remote);

}  // namespace opennd

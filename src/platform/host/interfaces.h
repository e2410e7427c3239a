// SPDX-License-Identifier: MIT
// The interfaces of this host with their IP addresses, and the address from which it reaches another.
#pragma once

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

}  // namespace opennd

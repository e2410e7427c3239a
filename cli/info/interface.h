// SPDX-License-Identifier: MIT
//
// The network interface behind an address of this host.
#pragma once

#include "network/socket_address.h"

#include <string>

namespace nd {

struct Interface {
    std::string name;   // empty: it has gone
    std::string state;  // "up", "no carrier", "down"
    unsigned index = 0;
    unsigned mtu = 0;  // bytes; 0: not known
};

Interface interface_of(const SocketAddress& address);

}  // namespace nd

// SPDX-License-Identifier: MIT
//
// The network interface behind an address of this host.
#pragma once

#include "network/socket_address.h"

#include <string>
#include <vector>

namespace nd {

struct Interface {
    std::string name;   // empty: it has gone
    std::string state;  // "up", "no carrier", "down"
    unsigned index = 0;
    unsigned mtu = 0;  // bytes; 0: not known
};

Interface interface_of(const SocketAddress& address);

// The addresses of a network interface, by its name; none where there is no such interface.
std::vector<SocketAddress> addresses_of(const std::string& interface);

}  // namespace nd

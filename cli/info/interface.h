// SPDX-License-Identifier: MIT
//
// The network interface behind an address of this host.
#pragma once

#include "network/socket_address.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace nd {

struct Interface {
    std::string name;   // empty: it has gone
    std::string state;  // "up", "no carrier", "down"
    unsigned index = 0;
    unsigned mtu = 0;  // bytes; 0: not known
    bool loopback = false;
    // The link's, in 10^6 bits a second; 0: it has none, or the driver does not tell.
    std::uint64_t rate_megabits = 0;
};

Interface interface_of(const SocketAddress& address);

// "25 Gb/s"; "-": none is known.
std::string rate_text(std::uint64_t megabits);

// The addresses of this host that a user means by the name of a network interface, or by one of the addresses itself.
std::vector<SocketAddress> addresses_named(const std::string& name);

// An address beside this one in its network, which is not of this host: that of another host, whether or not there is one. Nothing
// for the loopback interface, and where the network has room for no other host.
std::optional<SocketAddress> neighbour_of(const SocketAddress& address);

}  // namespace nd

// SPDX-License-Identifier: MIT
// A network interface of this host, with the kernel's number and name: an adapter is an open of one (ND2-PRV-RES-03). A
// plain value.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/address.h"

namespace opennd {

struct Interface {
    std::uint32_t index = 0;
    std::string name;
    bool up = false;
    std::vector<Address> addresses;  // in the order of put_in_order(), ports 0; none while it is down
};

// The order of lists: IPv4, then IPv6, loopback last (ND2-PRV-LIST-04). Those of a kind stay as they are.
void put_in_order(std::vector<Address>& addresses);

// Those of all the interfaces, each once, in that order.
std::vector<Address> addresses_of(std::span<const Interface> interfaces);

// `wanted`, of a program, as `addresses` has it: with its own port, and the scope that it may lack. Nothing: it is none of
// them. The unspecified address is none.
std::optional<Address> find_host(std::span<const Address> addresses, const Address& wanted);

}  // namespace opennd

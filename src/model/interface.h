// SPDX-License-Identifier: MIT
// A network interface of this host, with the kernel's number and name: an adapter is an open of one (ND2-PRV-RES-03). A
// plain value.
#pragma once

#include <algorithm>
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
inline void put_in_order(std::vector<Address>& addresses) {
    const auto rank = [](const Address& address) { return address.is_loopback() ? 2 : address.is_ipv6() ? 1 : 0; };
    std::stable_sort(addresses.begin(), addresses.end(),
                     [&](const Address& a, const Address& b) { return rank(a) < rank(b); });
}

// Those of all the interfaces, each once, in that order.
inline std::vector<Address> addresses_of(std::span<const Interface> interfaces) {
    std::vector<Address> all;
    for (const Interface& each : interfaces)
        for (const Address& address : each.addresses)
            if (std::find(all.begin(), all.end(), address) == all.end()) all.push_back(address);
    put_in_order(all);
    return all;
}

// `wanted`, of a program, as `addresses` has it: with its own port, and the scope that it may lack. Nothing: it is none of
// them. The unspecified address is none.
inline std::optional<Address> find_host(std::span<const Address> addresses, const Address& wanted) {
    for (const Address& own : addresses)
        if (own.same_host(wanted)) return own.with_port(wanted.port());
    return std::nullopt;
}

}  // namespace opennd

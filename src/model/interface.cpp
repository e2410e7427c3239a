// SPDX-License-Identifier: MIT
// See interface.h.
#include "model/interface.h"

#include <algorithm>

namespace opennd {
namespace {

int rank(const Address& address) {
    if (address.is_loopback()) return 2;
    return address.is_ipv6() ? 1 : 0;
}

}  // namespace

void put_in_order(std::vector<Address>& addresses) {
    std::stable_sort(addresses.begin(), addresses.end(),
                     [](const Address& a, const Address& b) { return rank(a) < rank(b); });
}

std::vector<Address> addresses_of(std::span<const Interface> interfaces) {
    std::vector<Address> all;
    for (const Interface& each : interfaces)
        for (const Address& address : each.addresses)
            if (std::find(all.begin(), all.end(), address) == all.end()) all.push_back(address);
    put_in_order(all);
    return all;
}

std::optional<Address> find_host(std::span<const Address> addresses, const Address& wanted) {
    for (const Address& own : addresses)
        if (own.same_host(wanted)) return own.with_port(wanted.port());
    return std::nullopt;
}

}  // namespace opennd

// SPDX-License-Identifier: MIT
//
// Read socket_address.h first.
#include "support/socket_address.h"

#include <arpa/inet.h>

#include <cstring>
#include <stdexcept>
#include <string>

namespace opennd::support {

bool SocketAddress::same_host(const SocketAddress& other) const {
    if (ipv4.sin_family != other.ipv4.sin_family) return false;
    if (ipv4.sin_family == AF_INET) return ipv4.sin_addr.s_addr == other.ipv4.sin_addr.s_addr;
    return std::memcmp(&ipv6.sin6_addr, &other.ipv6.sin6_addr, sizeof ipv6.sin6_addr) == 0;
}

void SocketAddress::set_host(const char* of_ipv4, const char* of_ipv6) {
    const bool six = ipv4.sin_family == AF_INET6;
    const char* const text = six ? of_ipv6 : of_ipv4;
    void* const host = six ? static_cast<void*>(&ipv6.sin6_addr) : &ipv4.sin_addr;
    if (inet_pton(ipv4.sin_family, text, host) != 1) throw std::runtime_error(std::string(text) + " is no address");
}

}  // namespace opennd::support

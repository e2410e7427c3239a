// SPDX-License-Identifier: MIT
//
// An address of either family, as the faces take it: sizeof is enough for both, and port and family are at the same place.
#pragma once

#include <netinet/in.h>

#include <cstddef>

namespace opennd::support {

struct SocketAddress {
    union {
        sockaddr_in ipv4;
        sockaddr_in6 ipv6{};
    };

    // An address as the faces give it.
    std::size_t length() const { return ipv4.sin_family == AF_INET6 ? sizeof ipv6 : sizeof ipv4; }
    bool same_host(const SocketAddress& other) const;
    // The one of its family; its port stays.
    void set_host(const char* of_ipv4, const char* of_ipv6);
};

inline const sockaddr* as_sockaddr(const SocketAddress& address) { return reinterpret_cast<const sockaddr*>(&address); }
inline sockaddr* as_sockaddr(SocketAddress& address) { return reinterpret_cast<sockaddr*>(&address); }

}  // namespace opennd::support

namespace opennd {
using support::SocketAddress;
}

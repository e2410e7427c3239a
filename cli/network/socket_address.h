// SPDX-License-Identifier: MIT
//
// SocketAddress: an IPv4 or IPv6 address with port, as a value.
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>

#include <cstdint>
#include <string>

namespace nd {

class SocketAddress {
public:
    SocketAddress() = default;
    SocketAddress(const sockaddr* address, socklen_t length);

    // A numeric address or a host name. Throws std::runtime_error if it cannot be resolved.
    static SocketAddress parse(const std::string& text);

    SocketAddress with_port(std::uint16_t port) const;
    std::uint16_t port() const;
    int family() const { return storage_.ss_family; }

    // Without the port; with the scope of an IPv6 link-local address.
    std::string host() const;
    // "127.0.0.1 port 18515"
    std::string text() const;

    const sockaddr* data() const { return reinterpret_cast<const sockaddr*>(&storage_); }
    sockaddr* data() { return reinterpret_cast<sockaddr*>(&storage_); }
    socklen_t length() const { return length_; }

private:
    sockaddr_storage storage_ = {};
    socklen_t length_ = 0;
};

}  // namespace nd

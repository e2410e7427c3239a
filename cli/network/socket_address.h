// SPDX-License-Identifier: MIT
//
// SocketAddress: an IPv4 or IPv6 address with port, as a value.
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>

#include <cstdint>
#include <optional>
#include <string>

namespace nd {

class SocketAddress {
public:
    SocketAddress() = default;
    SocketAddress(const sockaddr* address, socklen_t length);

    // A numeric address or a host name, with or without a port: "192.0.2.7", "host:7174", "::1", "[::1]:7174"; without one the
    // port is 0. Throws std::runtime_error if it cannot be resolved, std::invalid_argument for something that is no port.
    static SocketAddress parse(const std::string& text);

    SocketAddress with_port(std::uint16_t port) const;
    std::uint16_t port() const;
    int family() const { return storage_.ss_family; }

    // The address without the port; with the scope of an IPv6 link-local address.
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

// The address in `text` with the port that it names; else that of the option -p, else the usual one. Throws
// std::invalid_argument where text and option name different ones.
SocketAddress address_with_port(const std::string& text, const std::optional<std::uint16_t>& option,
                                std::uint16_t usual);

}  // namespace nd

// SPDX-License-Identifier: MIT
// An IP address with port: the name of an adapter, a listener or a peer. A plain value.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include <netinet/in.h>

namespace opennd {

class Address {
public:
    Address() = default;

    // Nothing if `raw` is null, the family is neither AF_INET nor AF_INET6, or `length` is shorter than the family needs
    // (16 and 28 bytes; longer is accepted, ND2-CON-ADDR-01).
    static std::optional<Address> from(const sockaddr* raw, std::size_t length);

    // "192.0.2.1", "2001:db8::1", with port 0; nothing if it is no such text.
    static std::optional<Address> parse(const std::string& text);

    sockaddr_storage to_sockaddr() const;
    std::size_t sockaddr_length() const { return is_ipv6() ? sizeof(sockaddr_in6) : sizeof(sockaddr_in); }

    bool is_ipv6() const { return family_ == AF_INET6; }
    std::uint16_t family() const { return family_; }
    std::uint16_t port() const { return port_; }    // host order
    std::uint32_t scope() const { return scope_; }  // IPv6 scope id, else 0
    Address with_port(std::uint16_t port) const;
    Address with_scope(std::uint32_t scope) const;

    bool is_unspecified() const;
    bool is_loopback() const;
    bool is_link_local() const;  // IPv6: fe80::/10, which means a host together with a scope alone
    bool is_multicast() const;   // multicast, or the IPv4 limited broadcast

    // Same family and IP address; scope ids are compared only if both are nonzero (NDS-CHK-03). Ports are ignored.
    bool same_host(const Address& other) const;

    // "192.0.2.1:7471", "[fe80::1%2]:7471"; without the port if `with_port` is false.
    std::string text(bool with_port = true) const;

    friend auto operator<=>(const Address&, const Address&) = default;

private:
    std::uint16_t family_ = AF_INET;
    std::uint16_t port_ = 0;
    std::uint32_t scope_ = 0;
    std::array<std::uint8_t, 16> bytes_{};  // network order; IPv4 uses the first four
};

}  // namespace opennd

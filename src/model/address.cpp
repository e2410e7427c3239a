// SPDX-License-Identifier: MIT
// Address: conversions and classes of addresses.
#include "model/address.h"

#include <algorithm>
#include <cstring>

#include <arpa/inet.h>
#include "base/format.h"

namespace opennd {

std::optional<Address> Address::from(const sockaddr* raw, std::size_t length) {
    if (!raw || length < sizeof(sockaddr_in)) return std::nullopt;
    Address address;
    address.family_ = raw->sa_family;
    if (raw->sa_family == AF_INET) {
        sockaddr_in in;
        std::memcpy(&in, raw, sizeof in);
        address.port_ = ntohs(in.sin_port);
        std::memcpy(address.bytes_.data(), &in.sin_addr, sizeof in.sin_addr);
        return address;
    }
    if (raw->sa_family == AF_INET6 && length >= sizeof(sockaddr_in6)) {
        sockaddr_in6 in6;
        std::memcpy(&in6, raw, sizeof in6);
        address.port_ = ntohs(in6.sin6_port);
        address.scope_ = in6.sin6_scope_id;
        std::memcpy(address.bytes_.data(), &in6.sin6_addr, sizeof in6.sin6_addr);
        return address;
    }
    return std::nullopt;
}

std::optional<Address> Address::parse(const std::string& text) {
    Address address;
    for (const int family : {AF_INET, AF_INET6}) {
        address.family_ = static_cast<std::uint16_t>(family);
        if (inet_pton(family, text.c_str(), address.bytes_.data()) == 1) return address;
    }
    return std::nullopt;
}

sockaddr_storage Address::to_sockaddr() const {
    sockaddr_storage storage{};
    if (is_ipv6()) {
        sockaddr_in6 in6{};
        in6.sin6_family = AF_INET6;
        in6.sin6_port = htons(port_);
        in6.sin6_scope_id = scope_;
        std::memcpy(&in6.sin6_addr, bytes_.data(), sizeof in6.sin6_addr);
        std::memcpy(&storage, &in6, sizeof in6);
    } else {
        sockaddr_in in{};
        in.sin_family = AF_INET;
        in.sin_port = htons(port_);
        std::memcpy(&in.sin_addr, bytes_.data(), sizeof in.sin_addr);
        std::memcpy(&storage, &in, sizeof in);
    }
    return storage;
}

Address Address::with_port(std::uint16_t port) const {
    Address copy = *this;
    copy.port_ = port;
    return copy;
}

Address Address::with_scope(std::uint32_t scope) const {
    Address copy = *this;
    copy.scope_ = scope;
    return copy;
}

bool Address::is_unspecified() const {
    return std::all_of(bytes_.begin(), bytes_.end(), [](std::uint8_t byte) { return byte == 0; });
}

bool Address::is_loopback() const {
    if (!is_ipv6()) return bytes_[0] == 127;
    return bytes_[15] == 1 &&
           std::all_of(bytes_.begin(), bytes_.end() - 1, [](std::uint8_t byte) { return byte == 0; });
}

bool Address::is_link_local() const { return is_ipv6() && bytes_[0] == 0xfe && (bytes_[1] & 0xc0) == 0x80; }

bool Address::is_multicast() const {
    if (is_ipv6()) return bytes_[0] == 0xff;
    const bool broadcast =
        std::all_of(bytes_.begin(), bytes_.begin() + 4, [](std::uint8_t byte) { return byte == 0xff; });
    return broadcast || (bytes_[0] & 0xf0) == 0xe0;
}

bool Address::same_host(const Address& other) const {
    const bool scopes_agree = scope_ == 0 || other.scope_ == 0 || scope_ == other.scope_;
    return family_ == other.family_ && bytes_ == other.bytes_ && scopes_agree;
}

std::string Address::text(bool with_port) const {
    char buffer[INET6_ADDRSTRLEN] = {};
    inet_ntop(family_, bytes_.data(), buffer, sizeof buffer);
    std::string host = buffer;
    if (is_ipv6() && scope_ != 0) host += format("%{}", scope_);
    if (!with_port) return host;
    return is_ipv6() ? format("[{}]:{}", host, port_) : format("{}:{}", host, port_);
}

}  // namespace opennd

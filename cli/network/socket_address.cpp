// SPDX-License-Identifier: MIT
//
// Read socket_address.h first.
#include "network/socket_address.h"

#include <netdb.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <memory>
#include <stdexcept>

namespace nd {
namespace {

struct HostAndPort {
    std::string host;
    std::optional<std::uint16_t> port;
};

std::uint16_t parse_port(const std::string& digits, const std::string& whole) {
    std::uint16_t port = 0;
    const char* const end = digits.data() + digits.size();
    const auto [rest, error] = std::from_chars(digits.data(), end, port);
    if (digits.empty() || error != std::errc() || rest != end)
        throw std::invalid_argument("'" + digits + "' in '" + whole + "' is no port: a number from 0 to 65535");
    return port;
}

// Colons of an IPv6 address without brackets are its own.
HostAndPort split(const std::string& text) {
    if (text.starts_with('[')) {
        const std::size_t end = text.find(']');
        const bool ends = end != std::string::npos && end + 1 == text.size();
        if (!ends && (end == std::string::npos || text[end + 1] != ':'))
            throw std::invalid_argument("'" + text + "' is neither [ADDRESS] nor [ADDRESS]:PORT");
        HostAndPort parts = {text.substr(1, end - 1), std::nullopt};
        if (!ends) parts.port = parse_port(text.substr(end + 2), text);
        return parts;
    }
    const std::size_t colon = text.find(':');
    if (colon == std::string::npos || text.find(':', colon + 1) != std::string::npos) return {text, std::nullopt};
    return {text.substr(0, colon), parse_port(text.substr(colon + 1), text)};
}

}  // namespace

SocketAddress::SocketAddress(const sockaddr* address, socklen_t length)
    : length_(std::min<socklen_t>(length, sizeof storage_)) {
    std::memcpy(&storage_, address, length_);
}

SocketAddress SocketAddress::parse(const std::string& text) {
    const HostAndPort parts = split(text);
    addrinfo wanted = {};
    wanted.ai_family = AF_UNSPEC;
    wanted.ai_socktype = SOCK_STREAM;  // one entry for each address
    addrinfo* found = nullptr;
    if (int error = getaddrinfo(parts.host.c_str(), nullptr, &wanted, &found))
        throw std::runtime_error("cannot resolve the address '" + parts.host + "': " + gai_strerror(error));
    std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> owner(found, &freeaddrinfo);
    return SocketAddress(found->ai_addr, found->ai_addrlen).with_port(parts.port.value_or(0));
}

SocketAddress SocketAddress::with_port(std::uint16_t port) const {
    SocketAddress copy = *this;
    if (family() == AF_INET6)
        reinterpret_cast<sockaddr_in6*>(&copy.storage_)->sin6_port = htons(port);
    else
        reinterpret_cast<sockaddr_in*>(&copy.storage_)->sin_port = htons(port);
    return copy;
}

std::uint16_t SocketAddress::port() const {
    if (family() == AF_INET6) return ntohs(reinterpret_cast<const sockaddr_in6*>(&storage_)->sin6_port);
    return ntohs(reinterpret_cast<const sockaddr_in*>(&storage_)->sin_port);
}

std::string SocketAddress::host() const {
    char name[NI_MAXHOST] = "?";
    getnameinfo(data(), length_, name, sizeof name, nullptr, 0, NI_NUMERICHOST);
    return name;
}

std::string SocketAddress::text() const { return host() + " port " + std::to_string(port()); }

SocketAddress address_with_port(const std::string& text, const std::optional<std::uint16_t>& option,
                                std::uint16_t usual) {
    const std::optional<std::uint16_t> named = split(text).port;
    if (named && option && *named != *option)
        throw std::invalid_argument("'" + text + "' names port " + std::to_string(*named) + ", and -p port " +
                                    std::to_string(*option));
    return SocketAddress::parse(text).with_port(named ? *named : option.value_or(usual));
}

}  // namespace nd

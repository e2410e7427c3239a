// SPDX-License-Identifier: MIT
//
// Read socket_address.h first.
#include "network/socket_address.h"

#include <netdb.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <stdexcept>

namespace nd {

SocketAddress::SocketAddress(const sockaddr* address, socklen_t length)
    : length_(std::min<socklen_t>(length, sizeof storage_)) {
    std::memcpy(&storage_, address, length_);
}

SocketAddress SocketAddress::parse(const std::string& text) {
    addrinfo wanted = {};
    wanted.ai_family = AF_UNSPEC;
    wanted.ai_socktype = SOCK_STREAM;  // one entry for each address
    addrinfo* found = nullptr;
    if (int error = getaddrinfo(text.c_str(), nullptr, &wanted, &found))
        throw std::runtime_error("cannot resolve the address '" + text + "': " + gai_strerror(error));
    std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> owner(found, &freeaddrinfo);
    return SocketAddress(found->ai_addr, found->ai_addrlen);
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

}  // namespace nd

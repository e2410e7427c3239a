// SPDX-License-Identifier: MIT
// See host_addresses.h.
#include "windows/sockets/host_addresses.h"

#include <ifaddrs.h>
#include <net/if.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>

#include "windows/socket_error.h"

namespace opennd::windows {
namespace {

bool is_loopback(const SOCKADDR_STORAGE& address) {
    constexpr int kNetBits = 24;
    if (address.ss_family == AF_INET6)
        return IN6_IS_ADDR_LOOPBACK(&reinterpret_cast<const SOCKADDR_IN6&>(address).sin6_addr);
    return ntohl(reinterpret_cast<const SOCKADDR_IN&>(address).sin_addr.s_addr) >> kNetBits == IN_LOOPBACKNET;
}

}  // namespace

INT length_of(const SOCKADDR_STORAGE& address) {
    return address.ss_family == AF_INET6 ? INT{sizeof(SOCKADDR_IN6)} : INT{sizeof(SOCKADDR_IN)};
}

std::vector<SOCKADDR_STORAGE> host_addresses(int family) {
    std::vector<SOCKADDR_STORAGE> addresses;
    ifaddrs* interfaces = nullptr;
    if (getifaddrs(&interfaces) != 0) return addresses;
    const std::unique_ptr<ifaddrs, void (*)(ifaddrs*)> frees(interfaces, freeifaddrs);
    for (const ifaddrs* i = interfaces; i != nullptr; i = i->ifa_next) {
        if (i->ifa_addr == nullptr || (i->ifa_flags & IFF_UP) == 0) continue;
        const int found = i->ifa_addr->sa_family;
        if (found != AF_INET && found != AF_INET6) continue;
        SOCKADDR_STORAGE address{};
        address.ss_family = i->ifa_addr->sa_family;
        std::memcpy(&address, i->ifa_addr, static_cast<std::size_t>(length_of(address)));
        addresses.push_back(address);
    }
    if (!std::all_of(addresses.begin(), addresses.end(), is_loopback)) std::erase_if(addresses, is_loopback);
    if (family != AF_UNSPEC) std::erase_if(addresses, [&](const auto& each) { return each.ss_family != family; });
    return addresses;
}

// The kernel chooses the source of a datagram socket when it connects, and nothing is sent.
int source_address(const SOCKADDR* remote, DWORD remote_bytes, SOCKADDR_STORAGE& source) {
    const bool four = remote_bytes >= sizeof(SOCKADDR_IN) && remote->sa_family == AF_INET;
    const bool six = remote_bytes >= sizeof(SOCKADDR_IN6) && remote->sa_family == AF_INET6;
    if (!four && !six) return WSAEINVAL;
    SOCKADDR_STORAGE target{};
    std::memcpy(&target, remote, four ? sizeof(SOCKADDR_IN) : sizeof(SOCKADDR_IN6));
    auto& port =
        four ? reinterpret_cast<SOCKADDR_IN&>(target).sin_port : reinterpret_cast<SOCKADDR_IN6&>(target).sin6_port;
    if (port == 0) port = htons(9);  // any will do
    const int probe = ::socket(target.ss_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (probe < 0) return socket_error(errno);
    socklen_t length = sizeof source;
    source = {};
    const bool done =
        ::connect(probe, reinterpret_cast<const sockaddr*>(&target), static_cast<socklen_t>(length_of(target))) == 0 &&
        ::getsockname(probe, reinterpret_cast<sockaddr*>(&source), &length) == 0;
    const int error = done ? 0 : errno;
    close(probe);
    if (!done) return socket_error(error);
    (four ? reinterpret_cast<SOCKADDR_IN&>(source).sin_port : reinterpret_cast<SOCKADDR_IN6&>(source).sin6_port) = 0;
    return ERROR_SUCCESS;
}

}  // namespace opennd::windows

// SPDX-License-Identifier: MIT
//
// Read interface.h first.
#include "info/interface.h"

#include <ifaddrs.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

namespace nd {
namespace {

const char* state_of(unsigned flags) {
    if ((flags & IFF_UP) == 0) return "down";
    return (flags & IFF_RUNNING) == 0 ? "no carrier" : "up";
}

unsigned mtu_of(const std::string& name) {
    const int descriptor = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (descriptor < 0) return 0;
    ifreq request = {};
    name.copy(request.ifr_name, IFNAMSIZ - 1);
    const bool known = ::ioctl(descriptor, SIOCGIFMTU, &request) == 0;
    ::close(descriptor);
    return known ? static_cast<unsigned>(request.ifr_mtu) : 0;
}

// The list of getifaddrs; empty where that fails.
class AddressList {
public:
    AddressList() {
        if (::getifaddrs(&first_) != 0) first_ = nullptr;
    }
    ~AddressList() {
        if (first_ != nullptr) ::freeifaddrs(first_);
    }
    AddressList(const AddressList&) = delete;
    AddressList& operator=(const AddressList&) = delete;

    const ifaddrs* first() const { return first_; }

private:
    ifaddrs* first_ = nullptr;
};

bool is_same(const sockaddr* one, const SocketAddress& other) {
    if (one == nullptr || one->sa_family != other.family()) return false;
    if (one->sa_family == AF_INET6) {
        const auto* a = reinterpret_cast<const sockaddr_in6*>(one);
        const auto* b = reinterpret_cast<const sockaddr_in6*>(other.data());
        return std::memcmp(&a->sin6_addr, &b->sin6_addr, sizeof a->sin6_addr) == 0 &&
               (b->sin6_scope_id == 0 || a->sin6_scope_id == b->sin6_scope_id);
    }
    const auto* a = reinterpret_cast<const sockaddr_in*>(one);
    const auto* b = reinterpret_cast<const sockaddr_in*>(other.data());
    return a->sin_addr.s_addr == b->sin_addr.s_addr;
}

}  // namespace

Interface interface_of(const SocketAddress& address) {
    const AddressList all;
    for (const ifaddrs* each = all.first(); each != nullptr; each = each->ifa_next)
        if (is_same(each->ifa_addr, address))
            return {each->ifa_name, state_of(each->ifa_flags), ::if_nametoindex(each->ifa_name),
                    mtu_of(each->ifa_name)};
    return {};
}

std::vector<SocketAddress> addresses_of(const std::string& interface) {
    std::vector<SocketAddress> addresses;
    const AddressList all;
    for (const ifaddrs* each = all.first(); each != nullptr; each = each->ifa_next) {
        if (each->ifa_addr == nullptr || interface != each->ifa_name) continue;
        if (each->ifa_addr->sa_family == AF_INET) addresses.emplace_back(each->ifa_addr, sizeof(sockaddr_in));
        if (each->ifa_addr->sa_family == AF_INET6) addresses.emplace_back(each->ifa_addr, sizeof(sockaddr_in6));
    }
    return addresses;
}

}  // namespace nd

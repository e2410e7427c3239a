// SPDX-License-Identifier: MIT
//
// Read interface.h first.
#include "info/interface.h"

#include "doctor/small_file.h"

#include <ifaddrs.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>

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

// ethtool shows the same number. The kernel has -1 where a driver knows none, and no answer where the interface is down.
std::uint64_t rate_of(const std::string& name) {
    const std::string speed = first_line("/sys/class/net/" + name + "/speed").value_or("");
    const long long megabits = std::strtoll(speed.c_str(), nullptr, 10);
    constexpr long long kUnknown = 0xFFFFFFFF;  // of older drivers
    return megabits > 0 && megabits != kUnknown ? static_cast<std::uint64_t>(megabits) : 0;
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

bool is_ip(const sockaddr* address) {
    return address != nullptr && (address->sa_family == AF_INET || address->sa_family == AF_INET6);
}

SocketAddress address_of(const sockaddr* address) {
    return {address, address->sa_family == AF_INET6 ? socklen_t{sizeof(sockaddr_in6)} : socklen_t{sizeof(sockaddr_in)}};
}

std::span<std::uint8_t> octets_of(sockaddr* address) {
    if (address->sa_family == AF_INET6)
        return {reinterpret_cast<sockaddr_in6*>(address)->sin6_addr.s6_addr, sizeof(in6_addr)};
    return {reinterpret_cast<std::uint8_t*>(&reinterpret_cast<sockaddr_in*>(address)->sin_addr), sizeof(in_addr)};
}

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
            return {each->ifa_name,
                    state_of(each->ifa_flags),
                    ::if_nametoindex(each->ifa_name),
                    mtu_of(each->ifa_name),
                    (each->ifa_flags & IFF_LOOPBACK) != 0,
                    rate_of(each->ifa_name)};
    return {};
}

std::string rate_text(std::uint64_t megabits) {
    if (megabits == 0) return "-";
    constexpr double kGigabit = 1000;
    const auto rate = static_cast<double>(megabits);
    char text[32] = "";
    if (rate >= kGigabit)
        std::snprintf(text, sizeof text, "%.4g Gb/s", rate / kGigabit);
    else
        std::snprintf(text, sizeof text, "%.4g Mb/s", rate);
    return text;
}

std::vector<SocketAddress> addresses_named(const std::string& name) {
    std::vector<SocketAddress> addresses;
    const AddressList all;
    for (const ifaddrs* each = all.first(); each != nullptr; each = each->ifa_next) {
        if (!is_ip(each->ifa_addr)) continue;
        const SocketAddress address = address_of(each->ifa_addr);
        if (name == each->ifa_name || name == address.host()) addresses.push_back(address);
    }
    return addresses;
}

std::optional<SocketAddress> neighbour_of(const SocketAddress& address) {
    const AddressList all;
    const ifaddrs* own = all.first();
    while (own != nullptr && !is_same(own->ifa_addr, address)) own = own->ifa_next;
    if (own == nullptr || (own->ifa_flags & IFF_LOOPBACK) != 0 || !is_ip(own->ifa_netmask)) return std::nullopt;
    constexpr std::uint8_t kMostTried = 7;
    for (std::uint8_t step = 1; step <= kMostTried; ++step) {
        SocketAddress other = address;
        const std::span<std::uint8_t> octets = octets_of(other.data());
        octets.back() ^= step;
        const std::span<const std::uint8_t> mask = octets_of(own->ifa_netmask);
        if ((step & mask.back()) != 0) break;  // of another network
        const std::uint8_t host = octets.back() & static_cast<std::uint8_t>(~mask.back());
        const bool special = mask.back() < 0xFE && (host == 0 || host == (0xFF & ~mask.back()));  // as the broadcast
        if (!special && interface_of(other).name.empty()) return other;
    }
    return std::nullopt;
}

}  // namespace nd

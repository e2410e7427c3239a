// SPDX-License-Identifier: MIT
// See interfaces.h.
#include "platform/host/interfaces.h"

#include <ifaddrs.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "base/log.h"
#include "platform/descriptor/descriptor.h"
#include "platform/process/errno_status.h"

namespace opennd {
namespace {

struct InterfaceListDeleter {
    void operator()(ifaddrs* list) const { freeifaddrs(list); }
};

std::optional<Address> address_of(const ifaddrs& entry) {
    if (entry.ifa_addr == nullptr || (entry.ifa_flags & IFF_UP) == 0) return std::nullopt;
    // The kernel's own structure, as long as its family needs.
    return Address::from(entry.ifa_addr, sizeof(sockaddr_in6));
}

// The interfaces' indices. getifaddrs() lists each interface first as a link, with its index. Later entries have the
// link's name or an address label ("eth0:1"), which the kernel accepts for the interface.
class Indices {
public:
    std::uint32_t of(const ifaddrs& entry) {
        std::uint32_t& index = by_name_[entry.ifa_name];
        if (index == 0)
            index = entry.ifa_addr && entry.ifa_addr->sa_family == AF_PACKET
                        ? static_cast<std::uint32_t>(reinterpret_cast<const sockaddr_ll*>(entry.ifa_addr)->sll_ifindex)
                        : if_nametoindex(entry.ifa_name);
        return index;
    }

private:
    std::map<std::string_view, std::uint32_t> by_name_;
};

using InterfaceList = std::unique_ptr<ifaddrs, InterfaceListDeleter>;

// Null if the kernel does not tell.
InterfaceList list_entries() {
    ifaddrs* first = nullptr;
    if (getifaddrs(&first) == 0) return InterfaceList(first);
    log(LogLevel::error, "local addresses cannot be listed: {}", std::strerror(errno));
    return nullptr;
}

// An address and the mask of its subnet, as octets of one length.
struct Subnet {
    std::uint32_t index;
    std::span<const std::uint8_t> address, mask;

    bool contains(std::span<const std::uint8_t> other) const {
        if (other.size() != address.size()) return false;
        for (std::size_t i = 0; i < address.size(); ++i)
            if (((address[i] ^ other[i]) & mask[i]) != 0) return false;
        return true;
    }
};

// The octets in a structure of the kernel's; none of another family's.
std::span<const std::uint8_t> octets_of(const sockaddr* raw) {
    if (!raw) return {};
    if (raw->sa_family == AF_INET)
        return {reinterpret_cast<const std::uint8_t*>(&reinterpret_cast<const sockaddr_in*>(raw)->sin_addr), 4};
    if (raw->sa_family == AF_INET6)
        return {reinterpret_cast<const std::uint8_t*>(&reinterpret_cast<const sockaddr_in6*>(raw)->sin6_addr), 16};
    return {};
}

// `list` outlives them.
std::vector<Subnet> subnets_of(const ifaddrs* list) {
    std::vector<Subnet> subnets;
    Indices indices;
    for (const ifaddrs* entry = list; entry; entry = entry->ifa_next) {
        const std::uint32_t index = indices.of(*entry);
        const auto address = octets_of(entry->ifa_addr), mask = octets_of(entry->ifa_netmask);
        const bool counts = (entry->ifa_flags & (IFF_UP | IFF_LOOPBACK)) == IFF_UP && index != 0;
        if (counts && !address.empty() && mask.size() == address.size()) subnets.push_back({index, address, mask});
    }
    return subnets;
}

// Once each.
void add(std::vector<Address>& addresses, const std::optional<Address>& address) {
    if (address && std::find(addresses.begin(), addresses.end(), *address) == addresses.end())
        addresses.push_back(*address);
}

}  // namespace

std::vector<Interface> interfaces() {
    std::map<std::uint32_t, Interface> by_index;
    Indices indices;
    const InterfaceList list = list_entries();
    for (const ifaddrs* entry = list.get(); entry; entry = entry->ifa_next) {
        const std::uint32_t index = indices.of(*entry);
        if (index == 0) continue;  // gone meanwhile
        Interface& found = by_index[index];
        found.index = index;
        if (found.name.empty()) found.name = entry->ifa_name;  // the first entry has no label
        found.up = (entry->ifa_flags & IFF_UP) != 0;
        add(found.addresses, address_of(*entry));
    }
    std::vector<Interface> all;
    for (auto& [index, interface] : by_index) {
        put_in_order(interface.addresses);
        all.push_back(std::move(interface));
    }
    return all;
}

Result<Address> source_address_for(const Address& remote) {
    if (remote.is_unspecified()) return Status::invalid_address;
    const Descriptor socket = Descriptor::made([&] { return ::socket(remote.family(), SOCK_DGRAM | SOCK_CLOEXEC, 0); });
    // Connecting a datagram socket looks the route up and sends nothing. The port does not matter, but must not be 0.
    const sockaddr_storage to = remote.with_port(9).to_sockaddr();
    sockaddr_storage from{};
    socklen_t from_bytes = sizeof from;
    if (!socket || connect(socket.get(), reinterpret_cast<const sockaddr*>(&to), remote.sockaddr_length()) != 0 ||
        getsockname(socket.get(), reinterpret_cast<sockaddr*>(&from), &from_bytes) != 0) {
        const Status status = status_from_errno(errno);
        if (status == Status::network_unreachable || status == Status::host_unreachable) return status;
        log(LogLevel::warn, "no local address found for {}: {}", remote.text(false), std::strerror(errno));
        return Status::internal_error;
    }
    const std::optional<Address> source = Address::from(reinterpret_cast<const sockaddr*>(&from), from_bytes);
    if (!source) return Status::internal_error;
    return source->with_port(0);
}

// Messages to an address of this host come from that address.
bool is_of_this_host(const Address& address) {
    if (address.is_loopback()) return true;
    const auto source = source_address_for(address);
    return source.ok() && source.value().same_host(address);
}

SubnetInterfaces interfaces_in_subnet_of(const Address& own) {
    if (own.is_link_local()) return {own.scope()};
    const sockaddr_storage raw = own.to_sockaddr();
    const auto octets = octets_of(reinterpret_cast<const sockaddr*>(&raw));
    const InterfaceList list = list_entries();
    const std::vector<Subnet> subnets = subnets_of(list.get());
    const auto home =
        std::ranges::find_if(subnets, [&](const Subnet& each) { return std::ranges::equal(each.address, octets); });
    if (home == subnets.end()) return {};
    SubnetInterfaces found{home->index};
    for (const Subnet& each : subnets)
        if (each.index != home->index && home->contains(each.address) &&
            std::ranges::find(found.others, each.index) == found.others.end())
            found.others.push_back(each.index);
    return found;
}

}  // namespace opennd

// SPDX-License-Identifier: MIT
// The address part of iphlpapi: interfaces with their addresses, in one buffer of the caller's.
#include <ifaddrs.h>
#include <net/if.h>
#include <net/if_arp.h>
#include <netpacket/packet.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <map>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "iphlpapi.h"
#include "windows/sockets/host_addresses.h"
#include "windows/text/either_width.h"

namespace opennd::windows {
namespace {

struct Unicast {
    SOCKADDR_STORAGE address;
    UINT8 prefix_bits;
};

struct Interface {
    std::string name;
    unsigned flags = 0;
    std::vector<BYTE> hardware;
    unsigned hardware_type = 0;
    std::vector<Unicast> addresses;
};

UINT8 prefix_bits(const sockaddr* mask) {
    if (mask == nullptr) return 0;
    const bool six = mask->sa_family == AF_INET6;
    const auto* bytes =
        six ? reinterpret_cast<const SOCKADDR_IN6*>(mask)->sin6_addr.s6_addr
            : reinterpret_cast<const unsigned char*>(&reinterpret_cast<const SOCKADDR_IN*>(mask)->sin_addr);
    int bits = 0;
    for (int i = 0; i < (six ? 16 : 4); ++i) bits += std::popcount(bytes[i]);
    return static_cast<UINT8>(bits);
}

void read_hardware(const sockaddr_ll& link, Interface& interface) {
    interface.hardware_type = link.sll_hatype;
    const std::size_t length = std::min<std::size_t>(link.sll_halen, MAX_ADAPTER_ADDRESS_LENGTH);
    interface.hardware.assign(link.sll_addr, link.sll_addr + length);
}

// By index.
std::map<unsigned, Interface> read_interfaces(ULONG family) {
    std::map<unsigned, Interface> interfaces;
    ifaddrs* list = nullptr;
    if (getifaddrs(&list) != 0) return interfaces;
    const std::unique_ptr<ifaddrs, void (*)(ifaddrs*)> frees(list, freeifaddrs);
    for (const ifaddrs* i = list; i != nullptr; i = i->ifa_next) {
        const unsigned index = if_nametoindex(i->ifa_name);
        if (index == 0 || i->ifa_addr == nullptr) continue;
        Interface& interface = interfaces[index];
        interface.name = i->ifa_name;
        interface.flags = i->ifa_flags;
        const unsigned found = i->ifa_addr->sa_family;
        if (found == AF_PACKET) read_hardware(*reinterpret_cast<const sockaddr_ll*>(i->ifa_addr), interface);
        if ((found != AF_INET && found != AF_INET6) || (family != AF_UNSPEC && family != found)) continue;
        Unicast unicast{{}, prefix_bits(i->ifa_netmask)};
        unicast.address.ss_family = i->ifa_addr->sa_family;
        std::memcpy(&unicast.address, i->ifa_addr, static_cast<std::size_t>(length_of(unicast.address)));
        interface.addresses.push_back(unicast);
    }
    std::erase_if(interfaces, [](const auto& entry) { return entry.second.addresses.empty(); });
    return interfaces;
}

ULONG mtu_of(const std::string& name) {
    ifreq request{};
    name.copy(request.ifr_name, IFNAMSIZ - 1);
    const int probe = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    const bool told = probe >= 0 && ioctl(probe, SIOCGIFMTU, &request) == 0;
    if (probe >= 0) close(probe);
    return told ? static_cast<ULONG>(request.ifr_mtu) : 0;
}

// Hands out parts of the caller's buffer; only counts where there is none.
class Arena {
public:
    explicit Arena(void* buffer) : buffer_(static_cast<BYTE*>(buffer)) {}

    template <typename T>
    T* take(std::size_t count = 1) {
        used_ = (used_ + alignof(T) - 1) & ~(alignof(T) - 1);
        BYTE* const place = buffer_ ? buffer_ + used_ : nullptr;
        used_ += count * sizeof(T);
        return reinterpret_cast<T*>(place);
    }
    std::size_t used() const { return used_; }

private:
    BYTE* const buffer_;
    std::size_t used_ = 0;
};

template <typename Char>
Char* put_text(Arena& arena, const std::basic_string<Char>& text) {
    Char* const place = arena.take<Char>(text.size() + 1);
    if (place != nullptr) std::copy_n(text.c_str(), text.size() + 1, place);
    return place;
}

PIP_ADAPTER_UNICAST_ADDRESS put_address(Arena& arena, const Unicast& unicast) {
    auto* const entry = arena.take<IP_ADAPTER_UNICAST_ADDRESS>();
    const INT length = length_of(unicast.address);
    auto* const address = arena.take<SOCKADDR_STORAGE>();
    if (entry == nullptr) return nullptr;
    *address = unicast.address;
    *entry = {.Length = sizeof *entry,
              .Flags = 0,
              .Next = nullptr,
              .Address = {reinterpret_cast<SOCKADDR*>(address), length},
              .OnLinkPrefixLength = unicast.prefix_bits};
    return entry;
}

ULONG type_of(const Interface& interface) {
    if ((interface.flags & IFF_LOOPBACK) != 0) return IF_TYPE_SOFTWARE_LOOPBACK;
    return interface.hardware_type == ARPHRD_ETHER ? IF_TYPE_ETHERNET_CSMACD : IF_TYPE_OTHER;
}

PIP_ADAPTER_ADDRESSES put_interface(Arena& arena, unsigned index, const Interface& interface) {
    auto* const entry = arena.take<IP_ADAPTER_ADDRESSES>();
    CHAR* const name = put_text(arena, interface.name);
    WCHAR* const wide_name = put_text(arena, from_utf8(interface.name));
    PIP_ADAPTER_UNICAST_ADDRESS first = nullptr;
    PIP_ADAPTER_UNICAST_ADDRESS* next = &first;
    for (const Unicast& unicast : interface.addresses) {
        *next = put_address(arena, unicast);
        if (*next != nullptr) next = &(*next)->Next;
    }
    if (entry == nullptr) return nullptr;
    *entry = {};
    entry->Length = sizeof *entry;
    entry->IfIndex = entry->Ipv6IfIndex = index;
    entry->AdapterName = name;
    entry->FirstUnicastAddress = first;
    entry->Description = entry->FriendlyName = wide_name;
    std::copy(interface.hardware.begin(), interface.hardware.end(), entry->PhysicalAddress);
    entry->PhysicalAddressLength = static_cast<ULONG>(interface.hardware.size());
    entry->Mtu = mtu_of(interface.name);
    entry->IfType = type_of(interface);
    entry->OperStatus = (interface.flags & IFF_UP) != 0 ? IfOperStatusUp : IfOperStatusDown;
    entry->Luid.Value = index;
    return entry;
}

std::size_t put_all(const std::map<unsigned, Interface>& interfaces, void* buffer) {
    Arena arena(buffer);
    PIP_ADAPTER_ADDRESSES last = nullptr;
    for (const auto& [index, interface] : interfaces) {
        PIP_ADAPTER_ADDRESSES const entry = put_interface(arena, index, interface);
        if (last != nullptr) last->Next = entry;
        last = entry;
    }
    return arena.used();
}

// 0: none.
unsigned index_of_address(const SOCKADDR_STORAGE& wanted) {
    for (const auto& [index, interface] : read_interfaces(wanted.ss_family))
        for (const Unicast& unicast : interface.addresses) {
            SOCKADDR_STORAGE address = unicast.address;
            if (address.ss_family == AF_INET6)  // the kernel gives a scope where the source needs none
                reinterpret_cast<SOCKADDR_IN6&>(address).sin6_scope_id =
                    reinterpret_cast<const SOCKADDR_IN6&>(wanted).sin6_scope_id;
            if (std::memcmp(&address, &wanted, static_cast<std::size_t>(length_of(wanted))) == 0) return index;
        }
    return 0;
}

}  // namespace
}  // namespace opennd::windows

using namespace opennd::windows;

ULONG GetAdaptersAddresses(ULONG Family, ULONG, PVOID, PIP_ADAPTER_ADDRESSES AdapterAddresses, PULONG SizePointer) try {
    if (SizePointer == nullptr || (Family != AF_UNSPEC && Family != AF_INET && Family != AF_INET6))
        return ERROR_INVALID_PARAMETER;
    const std::map<unsigned, Interface> interfaces = read_interfaces(Family);
    if (interfaces.empty()) return ERROR_NO_DATA;
    const std::size_t needed = put_all(interfaces, nullptr);
    const ULONG room = AdapterAddresses ? *SizePointer : 0;
    *SizePointer = static_cast<ULONG>(needed);
    if (room < needed) return ERROR_BUFFER_OVERFLOW;
    put_all(interfaces, AdapterAddresses);
    return NO_ERROR;
} catch (const std::bad_alloc&) {
    return ERROR_NOT_ENOUGH_MEMORY;
}

DWORD GetBestInterface(ULONG dwDestAddr, PDWORD pdwBestIfIndex) {
    SOCKADDR_IN target{};
    target.sin_family = AF_INET;
    target.sin_addr.s_addr = dwDestAddr;
    return GetBestInterfaceEx(reinterpret_cast<sockaddr*>(&target), pdwBestIfIndex);
}

DWORD GetBestInterfaceEx(struct sockaddr* pDestAddr, PDWORD pdwBestIfIndex) try {
    if (pDestAddr == nullptr || pdwBestIfIndex == nullptr) return ERROR_INVALID_PARAMETER;
    SOCKADDR_STORAGE source;
    const DWORD length = pDestAddr->sa_family == AF_INET6 ? sizeof(SOCKADDR_IN6) : sizeof(SOCKADDR_IN);
    const int error = source_address(pDestAddr, length, source);
    if (error == WSAEINVAL) return ERROR_INVALID_PARAMETER;
    const unsigned index = error == ERROR_SUCCESS ? index_of_address(source) : 0;
    if (index == 0) return ERROR_NETWORK_UNREACHABLE;
    *pdwBestIfIndex = index;
    return NO_ERROR;
} catch (const std::bad_alloc&) {
    return ERROR_NOT_ENOUGH_MEMORY;
}

DWORD ConvertInterfaceIndexToLuid(NET_IFINDEX InterfaceIndex, PNET_LUID InterfaceLuid) {
    char name[IF_NAMESIZE];
    if (InterfaceLuid == nullptr || if_indextoname(InterfaceIndex, name) == nullptr) return ERROR_INVALID_PARAMETER;
    InterfaceLuid->Value = InterfaceIndex;
    return NO_ERROR;
}

DWORD ConvertInterfaceLuidToIndex(const NET_LUID* InterfaceLuid, PNET_IFINDEX InterfaceIndex) {
    char name[IF_NAMESIZE];
    if (InterfaceLuid == nullptr || InterfaceIndex == nullptr || InterfaceLuid->Value > 0x7FFFFFFF ||
        if_indextoname(static_cast<unsigned>(InterfaceLuid->Value), name) == nullptr)
        return ERROR_INVALID_PARAMETER;
    *InterfaceIndex = static_cast<NET_IFINDEX>(InterfaceLuid->Value);
    return NO_ERROR;
}

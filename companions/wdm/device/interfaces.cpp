// SPDX-License-Identifier: MIT
// Network interfaces and their addresses, as Win32's GetAdaptersAddresses lists them, in the kernel's tables.
#include <net/if.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "iphlpapi.h"
#include "kernel/interfaces.h"
#include "opennd_ndk.h"

namespace {

NET_LUID luid_of(NET_IFINDEX index) {
    NET_LUID luid;
    luid.Value = index;
    return luid;
}

// The list within, which points into itself; empty: there is none.
std::vector<UCHAR> read_adapters(ADDRESS_FAMILY family) {
    std::vector<UCHAR> buffer(16 * 1024);
    for (;;) {
        auto bytes = static_cast<ULONG>(buffer.size());
        const ULONG error =
            GetAdaptersAddresses(family, 0, nullptr, reinterpret_cast<PIP_ADAPTER_ADDRESSES>(buffer.data()), &bytes);
        if (error == NO_ERROR) return buffer;
        if (error != ERROR_BUFFER_OVERFLOW) return {};
        buffer.resize(bytes);
    }
}

template <typename Row>
void add_rows(std::vector<Row>& rows, const IP_ADAPTER_ADDRESSES& adapter);

template <>
void add_rows(std::vector<MIB_UNICASTIPADDRESS_ROW>& rows, const IP_ADAPTER_ADDRESSES& adapter) {
    for (auto* i = adapter.FirstUnicastAddress; i != nullptr; i = i->Next) {
        MIB_UNICASTIPADDRESS_ROW row{};
        std::memcpy(&row.Address, i->Address.lpSockaddr,
                    std::min<std::size_t>(sizeof row.Address, static_cast<std::size_t>(i->Address.iSockaddrLength)));
        row.InterfaceLuid = luid_of(adapter.IfIndex);
        row.InterfaceIndex = adapter.IfIndex;
        row.OnLinkPrefixLength = i->OnLinkPrefixLength;
        rows.push_back(row);
    }
}

template <>
void add_rows(std::vector<MIB_IPINTERFACE_ROW>& rows, const IP_ADAPTER_ADDRESSES& adapter) {
    for (const ADDRESS_FAMILY family : {ADDRESS_FAMILY{AF_INET}, ADDRESS_FAMILY{AF_INET6}}) {
        const IP_ADAPTER_UNICAST_ADDRESS* i = adapter.FirstUnicastAddress;
        while (i != nullptr && i->Address.lpSockaddr->sa_family != family) i = i->Next;
        if (i == nullptr) continue;
        rows.push_back({.Family = family,
                        .InterfaceLuid = luid_of(adapter.IfIndex),
                        .InterfaceIndex = adapter.IfIndex,
                        .Connected = adapter.OperStatus == IfOperStatusUp,
                        .NlMtu = adapter.Mtu});
    }
}

// A count, and the rows behind it.
template <typename Table, typename Row>
NETIO_STATUS make_table(ADDRESS_FAMILY family, Table** table) {
    if (table == nullptr || (family != AF_UNSPEC && family != AF_INET && family != AF_INET6))
        return STATUS_INVALID_PARAMETER;
    std::vector<Row> rows;
    const std::vector<UCHAR> adapters = read_adapters(family);
    if (!adapters.empty())
        for (auto* i = reinterpret_cast<const IP_ADAPTER_ADDRESSES*>(adapters.data()); i != nullptr; i = i->Next)
            add_rows(rows, *i);
    if (rows.empty()) return STATUS_NOT_FOUND;
    auto* const made = static_cast<Table*>(std::calloc(1, sizeof(Table) + rows.size() * sizeof(Row)));
    if (made == nullptr) return STATUS_NO_MEMORY;
    made->NumEntries = static_cast<ULONG>(rows.size());
    std::copy(rows.begin(), rows.end(), &made->Table[0]);
    *table = made;
    return STATUS_SUCCESS;
}

// The name of an adapter without an interface (NDK-HOST-05); empty: there is none.
std::string name_of_configured(ULONG64 index) {
    if (index < OPENND_NDK_FIRST_CONFIGURED) return {};
    for (ULONG count = 16;;) {
        std::vector<OPENND_NDK_ADAPTER_ENTRY> entries(count);
        const NTSTATUS status = opennd_ndk_enumerate_adapters(entries.data(), &count);
        if (status == STATUS_BUFFER_TOO_SMALL) continue;
        if (!NT_SUCCESS(status)) return {};
        entries.resize(count);
        const auto found =
            std::find_if(entries.begin(), entries.end(), [&](const auto& each) { return each.if_index == index; });
        return found == entries.end() ? std::string{} : std::string(found->name);
    }
}

// Empty: there is none.
std::string name_of(ULONG64 index) {
    char name[IF_NAMESIZE];
    if (index <= MAXLONG && if_indextoname(static_cast<unsigned>(index), name) != nullptr) return name;
    return name_of_configured(index);
}

}  // namespace

NETIO_STATUS opennd_wdm_interface_index_to_luid(NET_IFINDEX InterfaceIndex, PNET_LUID InterfaceLuid) {
    if (InterfaceLuid == nullptr || name_of(InterfaceIndex).empty()) return STATUS_INVALID_PARAMETER;
    *InterfaceLuid = luid_of(InterfaceIndex);
    return STATUS_SUCCESS;
}

NETIO_STATUS opennd_wdm_interface_luid_to_index(const NET_LUID* InterfaceLuid, PNET_IFINDEX InterfaceIndex) {
    if (InterfaceLuid == nullptr || InterfaceIndex == nullptr || name_of(InterfaceLuid->Value).empty())
        return STATUS_INVALID_PARAMETER;
    *InterfaceIndex = static_cast<NET_IFINDEX>(InterfaceLuid->Value);
    return STATUS_SUCCESS;
}

NETIO_STATUS ConvertInterfaceLuidToAlias(const NET_LUID* InterfaceLuid, PWSTR InterfaceAlias, SIZE_T Length) {
    if (InterfaceLuid == nullptr || InterfaceAlias == nullptr) return STATUS_INVALID_PARAMETER;
    const std::string text = name_of(InterfaceLuid->Value);
    if (text.empty()) return STATUS_INVALID_PARAMETER;
    if (Length <= text.size()) return STATUS_BUFFER_TOO_SMALL;
    *std::copy(text.begin(), text.end(), InterfaceAlias) = 0;
    return STATUS_SUCCESS;
}

NETIO_STATUS GetIpInterfaceTable(ADDRESS_FAMILY Family, PMIB_IPINTERFACE_TABLE* Table) {
    return make_table<MIB_IPINTERFACE_TABLE, MIB_IPINTERFACE_ROW>(Family, Table);
}

NETIO_STATUS GetUnicastIpAddressTable(ADDRESS_FAMILY Family, PMIB_UNICASTIPADDRESS_TABLE* Table) {
    return make_table<MIB_UNICASTIPADDRESS_TABLE, MIB_UNICASTIPADDRESS_ROW>(Family, Table);
}

VOID FreeMibTable(PVOID Memory) { std::free(Memory); }

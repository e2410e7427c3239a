/* SPDX-License-Identifier: MIT
 * The tables of netioapi.h. */
#include "adapter/interface.h"

ULONG AddressLength(const SOCKADDR_INET* Address) {
    return Address->si_family == AF_INET6 ? sizeof Address->Ipv6 : sizeof Address->Ipv4;
}

static BOOLEAN IsSameHost(const SOCKADDR_INET* One, const SOCKADDR_INET* Other) {
    if (One->si_family != Other->si_family) return FALSE;
    if (One->si_family == AF_INET6)
        return RtlEqualMemory(&One->Ipv6.sin6_addr, &Other->Ipv6.sin6_addr, sizeof One->Ipv6.sin6_addr) != 0;
    return One->Ipv4.sin_addr.s_addr == Other->Ipv4.sin_addr.s_addr;
}

NTSTATUS InterfaceOf(const SOCKADDR_INET* Address, NET_IFINDEX* Index) {
    PMIB_UNICASTIPADDRESS_TABLE Table;
    ULONG i;
    NTSTATUS Status = GetUnicastIpAddressTable(Address->si_family, &Table);
    if (!NT_SUCCESS(Status)) return Status;
    Status = STATUS_NOT_FOUND;
    for (i = 0; i < Table->NumEntries && Status != STATUS_SUCCESS; ++i) {
        if (!IsSameHost(&Table->Table[i].Address, Address)) continue;
        *Index = Table->Table[i].InterfaceIndex;
        Status = STATUS_SUCCESS;
    }
    FreeMibTable(Table);
    return Status;
}

NTSTATUS InterfaceTowards(const SOCKADDR_INET* Destination, NET_IFINDEX* Index, SOCKADDR_INET* Source) {
    MIB_IPFORWARD_ROW2 Route;
    const NTSTATUS Status = GetBestRoute2(NULL, 0, NULL, Destination, 0, &Route, Source);
    if (NT_SUCCESS(Status)) *Index = Route.InterfaceIndex;
    return Status;
}

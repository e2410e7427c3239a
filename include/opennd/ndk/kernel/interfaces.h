/* SPDX-License-Identifier: MIT
 *
 * interfaces.h: network interfaces by index, LUID and alias, and which one leads to an address. An
 * interface's LUID is its index, its alias the name it has on Linux. PASSIVE_LEVEL.
 *
 * Two of the functions exist under Windows' names in user mode, too, with other codes; here the names are macros.
 */
#ifndef OPENND_KERNEL_INTERFACES_H
#define OPENND_KERNEL_INTERFACES_H

#include "../../windows/ifdef.h"
#include "../../windows/ws2ipdef.h"
#include "status.h"
#include "types.h"

#define NETIO_STATUS NTSTATUS

#define NDIS_IF_MAX_STRING_SIZE 256
#define IF_MAX_STRING_SIZE      NDIS_IF_MAX_STRING_SIZE

/* How packets go to a destination. */
typedef struct _MIB_IPFORWARD_ROW2 {
    NET_LUID InterfaceLuid;
    NET_IFINDEX InterfaceIndex;
    SOCKADDR_INET NextHop; /* all zero but the family: the destination itself */
} MIB_IPFORWARD_ROW2, *PMIB_IPFORWARD_ROW2;

/* One family of one interface. */
typedef struct _MIB_IPINTERFACE_ROW {
    ADDRESS_FAMILY Family;
    NET_LUID InterfaceLuid;
    NET_IFINDEX InterfaceIndex;
    BOOLEAN Connected; /* it is up */
    ULONG NlMtu;       /* bytes */
} MIB_IPINTERFACE_ROW, *PMIB_IPINTERFACE_ROW;

typedef struct _MIB_IPINTERFACE_TABLE {
    ULONG NumEntries;
    MIB_IPINTERFACE_ROW Table[1]; /* NumEntries of them */
} MIB_IPINTERFACE_TABLE, *PMIB_IPINTERFACE_TABLE;

/* One address of an interface. */
typedef struct _MIB_UNICASTIPADDRESS_ROW {
    SOCKADDR_INET Address;
    NET_LUID InterfaceLuid;
    NET_IFINDEX InterfaceIndex;
    UINT8 OnLinkPrefixLength; /* bits */
} MIB_UNICASTIPADDRESS_ROW, *PMIB_UNICASTIPADDRESS_ROW;

typedef struct _MIB_UNICASTIPADDRESS_TABLE {
    ULONG NumEntries;
    MIB_UNICASTIPADDRESS_ROW Table[1]; /* NumEntries of them */
} MIB_UNICASTIPADDRESS_TABLE, *PMIB_UNICASTIPADDRESS_TABLE;

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* STATUS_SUCCESS; STATUS_INVALID_PARAMETER: no such interface, or a NULL pointer. */
#define ConvertInterfaceIndexToLuid opennd_wdm_interface_index_to_luid
#define ConvertInterfaceLuidToIndex opennd_wdm_interface_luid_to_index
NETIO_STATUS NTAPI opennd_wdm_interface_index_to_luid(NET_IFINDEX InterfaceIndex, PNET_LUID InterfaceLuid);
NETIO_STATUS NTAPI opennd_wdm_interface_luid_to_index(const NET_LUID* InterfaceLuid, PNET_IFINDEX InterfaceIndex);

/* Length: room in characters. As above; STATUS_BUFFER_TOO_SMALL. */
NETIO_STATUS NTAPI ConvertInterfaceLuidToAlias(const NET_LUID* InterfaceLuid, PWSTR InterfaceAlias, SIZE_T Length);

/* How packets to DestinationAddress go, and from which address. InterfaceLuid or a nonzero InterfaceIndex: by this interface
 * only; SourceAddress: from this address; each may be NULL or 0. AddressSortOptions must be 0. STATUS_SUCCESS;
 * STATUS_NETWORK_UNREACHABLE; STATUS_INVALID_PARAMETER. */
NETIO_STATUS NTAPI GetBestRoute2(NET_LUID* InterfaceLuid, NET_IFINDEX InterfaceIndex,
                                 const SOCKADDR_INET* SourceAddress, const SOCKADDR_INET* DestinationAddress,
                                 ULONG AddressSortOptions, PMIB_IPFORWARD_ROW2 BestRoute,
                                 SOCKADDR_INET* BestSourceAddress);

/* The interfaces that have an address, or the addresses, of AF_INET, AF_INET6, or both (AF_UNSPEC); in the order of the
 * indices. The caller frees *Table with FreeMibTable. STATUS_SUCCESS; STATUS_NOT_FOUND: none; STATUS_INVALID_PARAMETER;
 * STATUS_NO_MEMORY. */
NETIO_STATUS NTAPI GetIpInterfaceTable(ADDRESS_FAMILY Family, PMIB_IPINTERFACE_TABLE* Table);
NETIO_STATUS NTAPI GetUnicastIpAddressTable(ADDRESS_FAMILY Family, PMIB_UNICASTIPADDRESS_TABLE* Table);
VOID NTAPI FreeMibTable(PVOID Memory);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif

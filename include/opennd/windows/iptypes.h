/* SPDX-License-Identifier: MIT
 *
 * iptypes.h: the list that GetAdaptersAddresses returns. Members that nothing here could fill are absent.
 */
#ifndef OPENND_WINDOWS_IPTYPES_H
#define OPENND_WINDOWS_IPTYPES_H

#include "ifdef.h"
#include "ws2ipdef.h"

#define MAX_ADAPTER_ADDRESS_LENGTH 8

#define GAA_FLAG_SKIP_UNICAST       0x0001
#define GAA_FLAG_SKIP_ANYCAST       0x0002
#define GAA_FLAG_SKIP_MULTICAST     0x0004
#define GAA_FLAG_SKIP_DNS_SERVER    0x0008
#define GAA_FLAG_INCLUDE_PREFIX     0x0010
#define GAA_FLAG_SKIP_FRIENDLY_NAME 0x0020

#define IF_TYPE_OTHER             1
#define IF_TYPE_ETHERNET_CSMACD   6
#define IF_TYPE_SOFTWARE_LOOPBACK 24

typedef enum { IfOperStatusUp = 1, IfOperStatusDown = 2 } IF_OPER_STATUS;

typedef struct _IP_ADAPTER_UNICAST_ADDRESS {
    ULONG Length;
    DWORD Flags;
    struct _IP_ADAPTER_UNICAST_ADDRESS* Next;
    SOCKET_ADDRESS Address;
    UINT8 OnLinkPrefixLength;
} IP_ADAPTER_UNICAST_ADDRESS, *PIP_ADAPTER_UNICAST_ADDRESS;

typedef struct _IP_ADAPTER_ADDRESSES {
    ULONG Length;
    DWORD IfIndex;
    struct _IP_ADAPTER_ADDRESSES* Next;
    PCHAR AdapterName; /* the interface's name, as FriendlyName and Description are */
    PIP_ADAPTER_UNICAST_ADDRESS FirstUnicastAddress;
    PWCHAR Description;
    PWCHAR FriendlyName;
    BYTE PhysicalAddress[MAX_ADAPTER_ADDRESS_LENGTH];
    ULONG PhysicalAddressLength;
    ULONG Mtu; /* bytes */
    ULONG IfType;
    IF_OPER_STATUS OperStatus;
    DWORD Ipv6IfIndex;
    NET_LUID Luid;
} IP_ADAPTER_ADDRESSES, *PIP_ADAPTER_ADDRESSES;

#endif

/* SPDX-License-Identifier: MIT
 *
 * iphlpapi.h: the addresses of this host's interfaces.
 */
#ifndef OPENND_WINDOWS_IPHLPAPI_H
#define OPENND_WINDOWS_IPHLPAPI_H

#include "ifdef.h"
#include "iptypes.h"
#include "winsock2.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Lists the interfaces, each with its addresses, in the caller's buffer of *SizePointer bytes. Family: AF_INET, AF_INET6 or
 * AF_UNSPEC for both. Flags that leave out anycast, multicast, DNS servers or the friendly name change nothing: only the
 * members of iptypes.h are there. NO_ERROR; ERROR_BUFFER_OVERFLOW: no room, and *SizePointer is the size needed;
 * ERROR_NO_DATA: none; ERROR_INVALID_PARAMETER: another family, or SizePointer is NULL. */
ULONG WINAPI GetAdaptersAddresses(ULONG Family, ULONG Flags, PVOID Reserved, PIP_ADAPTER_ADDRESSES AdapterAddresses,
                                  PULONG SizePointer);

/* The interface by which routing reaches the address. NO_ERROR; ERROR_NETWORK_UNREACHABLE: no route;
 * ERROR_INVALID_PARAMETER: not an IP address, or a NULL pointer. */
DWORD WINAPI GetBestInterface(ULONG dwDestAddr, PDWORD pdwBestIfIndex);
DWORD WINAPI GetBestInterfaceEx(struct sockaddr* pDestAddr, PDWORD pdwBestIfIndex);

/* An interface's LUID here is its index. NO_ERROR; ERROR_INVALID_PARAMETER: no such interface, or a NULL pointer. */
DWORD WINAPI ConvertInterfaceIndexToLuid(NET_IFINDEX InterfaceIndex, PNET_LUID InterfaceLuid);
DWORD WINAPI ConvertInterfaceLuidToIndex(const NET_LUID* InterfaceLuid, PNET_IFINDEX InterfaceIndex);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif

/* SPDX-License-Identifier: MIT
 *
 * ndsupport.h: helper functions that find and open adapters, so that a program need not walk a catalog of providers.
 *
 * All functions are thread-safe. Call NdStartup first: the functions that look for adapters return ND_DEVICE_NOT_READY
 * before it (NDS-START-04). Addresses are compared by family and IP address, ports are ignored; an IPv6 scope counts
 * only where both sides have one (NDS-CHK-03). Read ndspi.h for what the adapters do, opennd.h for events and ports.
 */
#ifndef _NETDIRECT_H_
#define _NETDIRECT_H_

#include "ndspi.h"

/* The calling convention that is __stdcall on 32-bit Windows; there is one only here. */
#define ND_HELPER_API

/* Kinds of addresses that NdQueryAddressList leaves out. Other bits are ignored. */
#define ND_QUERY_EXCLUDE_EMULATOR_ADDRESSES 0x00000001 /* accepted, no effect (NDS-LIST-04) */
#define ND_QUERY_EXCLUDE_NDv1_ADDRESSES     0x00000002 /* those of version 1 providers */
#define ND_QUERY_EXCLUDE_NDv2_ADDRESSES     0x00000004 /* those of version 2 providers */

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/* Starts the helper functions; counted. (NDS-START-01)
 * S_OK; ND_NO_MEMORY; HRESULT_FROM_WIN32(...): the system's sockets cannot be used. */
HRESULT ND_HELPER_API NdStartup(VOID);

/* Takes back one NdStartup. Adapters that are open stay usable. (NDS-START-02)
 * S_OK; ND_DEVICE_NOT_READY: called more often than NdStartup. */
HRESULT ND_HELPER_API NdCleanup(VOID);

/* Unloads providers that nothing uses. Does nothing before NdStartup. (NDS-START-03) */
VOID ND_HELPER_API NdFlushProviders(VOID);

/* Lists the addresses on which adapters can be opened: those of version 2, then those of version 1, so that an address
 * served by both appears twice. The list, entries and addresses behind it included, goes into the caller's buffer of
 * *pcbAddressList bytes. Follows the host's addresses from call to call. (NDS-LIST-01 to -05)
 * ND_SUCCESS: *pcbAddressList is unchanged, or 0 if there is nothing to list, and then pAddressList is untouched;
 * ND_BUFFER_OVERFLOW: pAddressList is NULL or too small, *pcbAddressList is the size needed; ND_INVALID_PARAMETER:
 * pcbAddressList is NULL; ND_DEVICE_NOT_READY; ND_NO_MEMORY. */
HRESULT ND_HELPER_API NdQueryAddressList(DWORD flags, SOCKET_ADDRESS_LIST* pAddressList, SIZE_T* pcbAddressList);

/* Finds the local address, port 0, from which routing reaches a remote one; an address of this host resolves to itself.
 * *pcbLocalAddress is the size of the buffer in bytes, and then the size written. (NDS-RES-01 to -04)
 * S_OK; ND_BUFFER_OVERFLOW: buffer too small, *pcbLocalAddress is the size needed; ND_INVALID_ADDRESS: the remote
 * address is malformed, or no adapter serves the local one, which is written all the same; ND_NETWORK_UNREACHABLE: no
 * route; ND_UNSUCCESSFUL: anything else; ND_INVALID_PARAMETER: pcbLocalAddress is NULL; ND_DEVICE_NOT_READY. */
HRESULT ND_HELPER_API NdResolveAddress(const struct sockaddr* pRemoteAddress, SIZE_T cbRemoteAddress,
                                       struct sockaddr* pLocalAddress, SIZE_T* pcbLocalAddress);

/* Tells whether an adapter of either version serves the address. Lengths beyond the family's need are accepted.
 * (NDS-CHK-01, -02) ND_SUCCESS; ND_INVALID_ADDRESS: none does, or unknown family; ND_INVALID_PARAMETER_2: cbAddress is
 * less than the family needs (16 or 28 bytes) or beyond 32 bits; ND_DEVICE_NOT_READY. */
HRESULT ND_HELPER_API NdCheckAddress(const struct sockaddr* pAddress, SIZE_T cbAddress);

/* Opens the adapter that serves the address: of version 1 for IID_INDAdapter, of version 2 for any other iid. Every
 * call makes an adapter instance of its own. *ppIAdapter is a new reference, or NULL on failure. (NDS-OPEN-01, -02,
 * -04)
 * ND_SUCCESS; ND_INVALID_ADDRESS: not served, unspecified, or unknown family; ND_INVALID_PARAMETER_2: bad cbAddress, as
 * for NdCheckAddress; E_NOINTERFACE: unknown iid; E_POINTER: ppIAdapter is NULL; ND_NO_MEMORY; ND_DEVICE_NOT_READY. */
HRESULT ND_HELPER_API NdOpenAdapter(REFIID iid, const struct sockaddr* pAddress, SIZE_T cbAddress, VOID** ppIAdapter);

/* NdOpenAdapter with IID_INDAdapter. Statuses as there. (NDS-OPEN-03) */
HRESULT ND_HELPER_API NdOpenV1Adapter(const struct sockaddr* pAddress, SIZE_T cbAddress, INDAdapter** ppIAdapter);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif

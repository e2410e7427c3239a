/* SPDX-License-Identifier: MIT
 *
 * ws2spi.h: the Winsock catalogue of providers, which has Network Direct's providers and nothing else: OpenND's of
 * version 2, OpenND's of version 1, then those of other vendors (docs/providers.md).
 */
#ifndef OPENND_WINDOWS_WS2SPI_H
#define OPENND_WINDOWS_WS2SPI_H

#include "winsock2.h"

#define WSPAPI WSAAPI

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Lists the entries with an iProtocol that lpiProtocols names up to its final 0; all if it is NULL.
 * *lpdwBufferLength is the room in bytes, and then, if it was not enough, the size needed. Errors go to *lpErrno.
 * The number of entries; SOCKET_ERROR and WSAENOBUFS: no room, nothing is written; WSAEFAULT: lpdwBufferLength is
 * NULL. */
int WSPAPI WSCEnumProtocols(LPINT lpiProtocols, LPWSAPROTOCOL_INFOW lpProtocolBuffer, LPDWORD lpdwBufferLength,
                            LPINT lpErrno);

/* Gives the path of the module that has this class. *lpProviderDllPathLen is the room in characters, then the length
 * with its end. Errors go to *lpErrno. 0; SOCKET_ERROR and WSAEFAULT: a NULL pointer, or no room, and
 * *lpProviderDllPathLen is the length needed; WSAEINVAL: no provider has this class. */
int WSPAPI WSCGetProviderPath(GUID* lpProviderId, WCHAR* lpszProviderDllPath, LPINT lpProviderDllPathLen,
                              LPINT lpErrno);

/* Adds a provider of Network Direct to the catalogue, for all programs (docs/providers.md): needs the right to write to its
 * folder. The path may hold names of environment variables (%NAME%), and is absolute then. The entries, one for each
 * family of addresses, are one version of Network Direct. Errors go to *lpErrno. 0; SOCKET_ERROR: WSAEFAULT: a NULL
 * pointer; WSAEINVAL: no entry, one without PFL_NETWORKDIRECT_PROVIDER, of another version, or a class that the
 * catalogue has; WSANO_RECOVERY: no right to write; WSAENOBUFS: no memory. */
int WSPAPI WSCInstallProvider(LPGUID lpProviderId, const WCHAR* lpszProviderDllPath,
                              const LPWSAPROTOCOL_INFOW lpProtocolInfoList, DWORD dwNumberOfEntries, LPINT lpErrno);

/* Takes it out again. 0; SOCKET_ERROR: WSAEFAULT, WSANO_RECOVERY, WSAENOBUFS; WSAEINVAL: no other vendor's provider has this
 * class. */
int WSPAPI WSCDeinstallProvider(LPGUID lpProviderId, LPINT lpErrno);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif

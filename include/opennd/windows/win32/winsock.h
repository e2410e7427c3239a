/* SPDX-License-Identifier: MIT
 *
 * winsock.h: starting and ending Winsock, its last error, and addresses as text.
 */
#ifndef OPENND_WINDOWS_WINSOCK_H
#define OPENND_WINDOWS_WINSOCK_H

#include "../ws2def.h"
#include "errors.h"
#include "protocol_info.h"

/* A descriptor of the system, widened. */
typedef UINT_PTR SOCKET;

#define INVALID_SOCKET ((SOCKET)~0ul)
#define SOCKET_ERROR   (-1)

#define WSADESCRIPTION_LEN 256
#define WSASYS_STATUS_LEN  128

typedef struct WSAData {
    WORD wVersion;              /* that will be used: 0x0202 */
    WORD wHighVersion;          /* that could be: 0x0202 */
    unsigned short iMaxSockets; /* both 0 since version 2 */
    unsigned short iMaxUdpDg;
    char* lpVendorInfo; /* NULL */
    char szDescription[WSADESCRIPTION_LEN + 1];
    char szSystemStatus[WSASYS_STATUS_LEN + 1];
} WSADATA, *LPWSADATA;

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Starts Winsock; counted. 0; WSAEFAULT: lpWSAData is NULL; WSAVERNOTSUPPORTED: a version below 1.0 is asked for. */
int WSAAPI WSAStartup(WORD wVersionRequested, LPWSADATA lpWSAData);

/* Takes back one WSAStartup. 0; SOCKET_ERROR and WSANOTINITIALISED: called more often than WSAStartup. */
int WSAAPI WSACleanup(VOID);

/* The error of the last call, the same code as GetLastError's. */
int WSAAPI WSAGetLastError(VOID);
VOID WSAAPI WSASetLastError(int iError);

/* Reads an address: "a.b.c.d", "a.b.c.d:port"; "address", "address%scope", "[address]:port", with the family asked for.
 * Names are not looked up. *lpAddressLength is the room in bytes, then the length written.
 * 0; SOCKET_ERROR: the address stays as it was. WSAEINVAL: no such address; WSAEAFNOSUPPORT: neither AF_INET nor
 * AF_INET6; WSAEFAULT: a NULL pointer, or no room, and *lpAddressLength is the length needed. */
INT WSAAPI WSAStringToAddressA(LPSTR AddressString, INT AddressFamily, LPWSAPROTOCOL_INFOA lpProtocolInfo,
                               LPSOCKADDR lpAddress, LPINT lpAddressLength);
INT WSAAPI WSAStringToAddressW(LPWSTR AddressString, INT AddressFamily, LPWSAPROTOCOL_INFOW lpProtocolInfo,
                               LPSOCKADDR lpAddress, LPINT lpAddressLength);

/* Writes an address in the form that WSAStringToAddress reads, the port only if it is not 0. *lpdwAddressStringLength is
 * the room in characters, then the length with the terminator.
 * 0; SOCKET_ERROR. WSAEFAULT: no room, and the length needed is in *lpdwAddressStringLength, or a NULL pointer;
 * WSAEINVAL: too short an address, or a family that is neither AF_INET nor AF_INET6. */
INT WSAAPI WSAAddressToStringA(LPSOCKADDR lpsaAddress, DWORD dwAddressLength, LPWSAPROTOCOL_INFOA lpProtocolInfo,
                               LPSTR lpszAddressString, LPDWORD lpdwAddressStringLength);
INT WSAAPI WSAAddressToStringW(LPSOCKADDR lpsaAddress, DWORD dwAddressLength, LPWSAPROTOCOL_INFOW lpProtocolInfo,
                               LPWSTR lpszAddressString, LPDWORD lpdwAddressStringLength);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#ifdef UNICODE
#define WSAStringToAddress WSAStringToAddressW
#define WSAAddressToString WSAAddressToStringW
#else
#define WSAStringToAddress WSAStringToAddressA
#define WSAAddressToString WSAAddressToStringA
#endif

/* ---- byte order of 64 bits --------------------------------------------------------------------------------------- */

#ifndef htonll
static __inline UINT64 htonll(UINT64 number) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    return __builtin_bswap64(number);
#else
    return number;
#endif
}
#define htonll htonll
#endif
#ifndef ntohll
static __inline UINT64 ntohll(UINT64 number) { return htonll(number); }
#define ntohll ntohll
#endif

#endif

/* SPDX-License-Identifier: MIT
 *
 * ws2tcpip.h: IP addresses as text, and names. inet_pton, inet_ntop, getaddrinfo and freeaddrinfo are
 * the system's own.
 */
#ifndef OPENND_WINDOWS_WS2TCPIP_H
#define OPENND_WINDOWS_WS2TCPIP_H

#include <arpa/inet.h>
#include <netdb.h>

#include "winsock2.h"
#include "ws2ipdef.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* inet_pton and inet_ntop of wide text. InetPtonW: 1; 0: no such address; -1 and WSAEAFNOSUPPORT, WSAEFAULT.
 * InetNtopW: pStringBuf; NULL and WSAEAFNOSUPPORT, or ERROR_INVALID_PARAMETER: no room. StringBufSize is in characters. */
INT WSAAPI InetPtonW(INT Family, LPCWSTR pszAddrString, PVOID pAddrBuf);
LPCWSTR WSAAPI InetNtopW(INT Family, LPCVOID pAddr, LPWSTR pStringBuf, size_t StringBufSize);

/* getaddrinfo of wide text. The caller owns *ppResult and frees it with FreeAddrInfoW. 0, or a Winsock code, which is
 * also the last error. */
INT WSAAPI GetAddrInfoW(PCWSTR pNodeName, PCWSTR pServiceName, const ADDRINFOW* pHints, PADDRINFOW* ppResult);
VOID WSAAPI FreeAddrInfoW(PADDRINFOW pAddrInfo);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#define InetPtonA     inet_pton
#define InetNtopA     inet_ntop
#define GetAddrInfoA  getaddrinfo
#define FreeAddrInfoA freeaddrinfo

#ifdef UNICODE
typedef ADDRINFOW ADDRINFOT, *PADDRINFOT;
#define InetPton     InetPtonW
#define InetNtop     InetNtopW
#define GetAddrInfo  GetAddrInfoW
#define FreeAddrInfo FreeAddrInfoW
#else
typedef ADDRINFOA ADDRINFOT, *PADDRINFOT;
#define InetPton     InetPtonA
#define InetNtop     InetNtopA
#define GetAddrInfo  GetAddrInfoA
#define FreeAddrInfo FreeAddrInfoA
#endif

#endif

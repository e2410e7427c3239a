/* SPDX-License-Identifier: MIT
 *
 * protocol_info.h: an entry of the catalogue of providers.
 */
#ifndef OPENND_WINDOWS_PROTOCOL_INFO_H
#define OPENND_WINDOWS_PROTOCOL_INFO_H

#include "types.h"

#define MAX_PROTOCOL_CHAIN 7
#define WSAPROTOCOL_LEN    255

/* dwServiceFlags1 */
#define XP1_CONNECTIONLESS      0x00000001
#define XP1_GUARANTEED_DELIVERY 0x00000002
#define XP1_GUARANTEED_ORDER    0x00000004
#define XP1_MESSAGE_ORIENTED    0x00000008
#define XP1_PSEUDO_STREAM       0x00000010
#define XP1_GRACEFUL_CLOSE      0x00000020
#define XP1_EXPEDITED_DATA      0x00000040
#define XP1_CONNECT_DATA        0x00000080
#define XP1_DISCONNECT_DATA     0x00000100
#define XP1_IFS_HANDLES         0x00020000

/* dwProviderFlags */
#define PFL_MULTIPLE_PROTO_ENTRIES  0x00000001
#define PFL_RECOMMENDED_PROTO_ENTRY 0x00000002
#define PFL_HIDDEN                  0x00000004
#define PFL_MATCHES_PROTOCOL_ZERO   0x00000008
#define PFL_NETWORKDIRECT_PROVIDER  0x00000010

typedef struct _WSAPROTOCOLCHAIN {
    int ChainLen; /* 1: a base protocol */
    DWORD ChainEntries[MAX_PROTOCOL_CHAIN];
} WSAPROTOCOLCHAIN, *LPWSAPROTOCOLCHAIN;

typedef struct _WSAPROTOCOL_INFOW {
    DWORD dwServiceFlags1;
    DWORD dwServiceFlags2;
    DWORD dwServiceFlags3;
    DWORD dwServiceFlags4;
    DWORD dwProviderFlags;
    GUID ProviderId; /* the class to ask the provider's module for */
    DWORD dwCatalogEntryId;
    WSAPROTOCOLCHAIN ProtocolChain;
    int iVersion; /* of a Network Direct provider: ND_VERSION_1 or ND_VERSION_2 */
    int iAddressFamily;
    int iMaxSockAddr;
    int iMinSockAddr;
    int iSocketType; /* of a Network Direct provider: -1 */
    int iProtocol;
    int iProtocolMaxOffset;
    int iNetworkByteOrder;
    int iSecurityScheme;
    DWORD dwMessageSize;
    DWORD dwProviderReserved;
    WCHAR szProtocol[WSAPROTOCOL_LEN + 1];
} WSAPROTOCOL_INFOW, *LPWSAPROTOCOL_INFOW;

typedef struct _WSAPROTOCOL_INFOA {
    DWORD dwServiceFlags1;
    DWORD dwServiceFlags2;
    DWORD dwServiceFlags3;
    DWORD dwServiceFlags4;
    DWORD dwProviderFlags;
    GUID ProviderId;
    DWORD dwCatalogEntryId;
    WSAPROTOCOLCHAIN ProtocolChain;
    int iVersion;
    int iAddressFamily;
    int iMaxSockAddr;
    int iMinSockAddr;
    int iSocketType;
    int iProtocol;
    int iProtocolMaxOffset;
    int iNetworkByteOrder;
    int iSecurityScheme;
    DWORD dwMessageSize;
    DWORD dwProviderReserved;
    CHAR szProtocol[WSAPROTOCOL_LEN + 1];
} WSAPROTOCOL_INFOA, *LPWSAPROTOCOL_INFOA;

#ifdef UNICODE
typedef WSAPROTOCOL_INFOW WSAPROTOCOL_INFO, *LPWSAPROTOCOL_INFO;
#else
typedef WSAPROTOCOL_INFOA WSAPROTOCOL_INFO, *LPWSAPROTOCOL_INFO;
#endif

#endif

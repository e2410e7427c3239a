/* SPDX-License-Identifier: MIT
 *
 * ws2ipdef.h: IPv6 addresses under Windows' names; see ws2def.h.
 */
#ifndef OPENND_WINDOWS_WS2IPDEF_H
#define OPENND_WINDOWS_WS2IPDEF_H

#include "ws2def.h"

#define in_addr6 in6_addr
#define s6_bytes u.Byte
#define s6_words u.Word

typedef struct in6_addr IN6_ADDR, *PIN6_ADDR, *LPIN6_ADDR;
typedef SOCKADDR_IN6 *PSOCKADDR_IN6, *LPSOCKADDR_IN6;
typedef SOCKADDR_INET* PSOCKADDR_INET;

/* A connection's two ends. */
typedef struct _sockaddr_in6_pair {
    PSOCKADDR_IN6 SourceAddress;
    PSOCKADDR_IN6 DestinationAddress;
} SOCKADDR_IN6_PAIR, *PSOCKADDR_IN6_PAIR;

#endif

/* SPDX-License-Identifier: MIT
 *
 * ws2def.h: socket addresses under Windows' names, on top of the system's own structures and values.
 * AF_INET6 is the system's number, not Windows' 23; it never travels.
 */
#ifndef OPENND_WINDOWS_WS2DEF_H
#define OPENND_WINDOWS_WS2DEF_H

#include <netdb.h>
#include <netinet/in.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "win32/types.h"

typedef struct in_addr IN_ADDR, *PIN_ADDR, *LPIN_ADDR;
typedef SOCKADDR* PSOCKADDR;
typedef SOCKADDR_IN *PSOCKADDR_IN, *LPSOCKADDR_IN;
typedef SOCKADDR_STORAGE *PSOCKADDR_STORAGE, *LPSOCKADDR_STORAGE;
typedef SOCKET_ADDRESS* PSOCKET_ADDRESS;
typedef SOCKET_ADDRESS_LIST* PSOCKET_ADDRESS_LIST;

#define SIZEOF_SOCKET_ADDRESS_LIST(count) \
    (FIELD_OFFSET(SOCKET_ADDRESS_LIST, Address) + (count) * sizeof(SOCKET_ADDRESS))

/* Parts of an IPv4 address, from its first byte on, by the names of old. */
#define s_net   S_un.S_un_b.s_b1
#define s_host  S_un.S_un_b.s_b2
#define s_lh    S_un.S_un_b.s_b3
#define s_impno S_un.S_un_b.s_b4
#define s_imp   S_un.S_un_w.s_w2

/* One piece of a message. */
typedef struct _WSABUF {
    ULONG len; /* bytes */
    CHAR* buf;
} WSABUF, *LPWSABUF;

/* A message in pieces, with control data; of functions that mswsock.h names. */
typedef struct _WSAMSG {
    LPSOCKADDR name;
    INT namelen;
    LPWSABUF lpBuffers;
    ULONG dwBufferCount;
    WSABUF Control;
    ULONG dwFlags;
} WSAMSG, *PWSAMSG, *LPWSAMSG;

/* ---- requests of WSAIoctl ---------------------------------------------------------------------------------------- */

/* The system's names of the same kind, which no code of the system's is made of. */
#undef IOC_IN
#undef IOC_OUT
#undef IOC_INOUT
#define IOC_VOID   0x20000000u
#define IOC_OUT    0x40000000u
#define IOC_IN     0x80000000u
#define IOC_INOUT  (IOC_IN | IOC_OUT)
#define IOC_UNIX   0x00000000u
#define IOC_WS2    0x08000000u
#define IOC_VENDOR 0x18000000u

#define _WSAIO(x, y)   (IOC_VOID | (x) | (y))
#define _WSAIOR(x, y)  (IOC_OUT | (x) | (y))
#define _WSAIOW(x, y)  (IOC_IN | (x) | (y))
#define _WSAIORW(x, y) (IOC_INOUT | (x) | (y))

/* ---- names ------------------------------------------------------------------------------------------------------- */

typedef struct addrinfo ADDRINFOA, *PADDRINFOA;

/* An entry of getaddrinfo's list, in wide text; GetAddrInfoW makes them, FreeAddrInfoW frees them. */
typedef struct addrinfoW {
    int ai_flags;
    int ai_family;
    int ai_socktype;
    int ai_protocol;
    size_t ai_addrlen;
    PWSTR ai_canonname;
    struct sockaddr* ai_addr;
    struct addrinfoW* ai_next;
} ADDRINFOW, *PADDRINFOW;

#endif

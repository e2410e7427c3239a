/* SPDX-License-Identifier: MIT
 *
 * sockets.h: Winsock's own calls. A SOCKET is a descriptor of the system, and bind, connect, send and their kin are the
 * system's functions, by way of this library: a failure leaves its code for WSAGetLastError too.
 */
#ifndef OPENND_WINDOWS_SOCKETS_H
#define OPENND_WINDOWS_SOCKETS_H

#include <poll.h>
#include <sys/socket.h>
#include <sys/types.h>

#include "winsock.h"

#define WSA_FLAG_OVERLAPPED        0x01
#define WSA_FLAG_NO_HANDLE_INHERIT 0x80

#define SIO_ROUTING_INTERFACE_QUERY _WSAIORW(IOC_WS2, 20)
#define SIO_ADDRESS_LIST_QUERY      _WSAIOR(IOC_WS2, 22)
#define SIO_ADDRESS_LIST_CHANGE     _WSAIO(IOC_WS2, 23)

#define SD_RECEIVE 0
#define SD_SEND    1
#define SD_BOTH    2

typedef HANDLE WSAEVENT;
typedef OVERLAPPED WSAOVERLAPPED, *LPWSAOVERLAPPED;
typedef unsigned int GROUP;

typedef VOID(CALLBACK* LPWSAOVERLAPPED_COMPLETION_ROUTINE)(DWORD dwError, DWORD cbTransferred,
                                                           LPWSAOVERLAPPED lpOverlapped, DWORD dwFlags);

/* fd is the system's int: assign a SOCKET to it, and compare with -1. */
typedef struct pollfd WSAPOLLFD, *PWSAPOLLFD, *LPWSAPOLLFD;

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Makes a socket of AF_INET or AF_INET6, stream or datagram. lpProtocolInfo must be NULL and g 0. The caller owns it and
 * closes it with closesocket. INVALID_SOCKET: WSAEINVAL, WSAEAFNOSUPPORT, WSAEPROTONOSUPPORT, WSAEMFILE, WSAENOBUFS. */
SOCKET WSAAPI WSASocketA(int af, int type, int protocol, LPWSAPROTOCOL_INFOA lpProtocolInfo, GROUP g, DWORD dwFlags);
SOCKET WSAAPI WSASocketW(int af, int type, int protocol, LPWSAPROTOCOL_INFOW lpProtocolInfo, GROUP g, DWORD dwFlags);

/* Closes a socket; waits for a change of addresses on it are cancelled. 0; SOCKET_ERROR: WSAENOTSOCK. */
int WSAAPI closesocket(SOCKET s);

/* FIONBIO: *argp not 0 makes the socket non-blocking; FIONREAD: how many bytes can be read at once. argp is a
 * pointer to a ULONG, or to an unsigned long, of which the lower half is used. 0; SOCKET_ERROR: WSAENOTSOCK,
 * WSAEFAULT, WSAEINVAL. */
int WSAAPI ioctlsocket(SOCKET s, LONG cmd, VOID* argp);

/* Asks a socket about addresses. *lpcbBytesReturned is the size written, or needed.
 *   SIO_ROUTING_INTERFACE_QUERY  in: a remote address; out: the local one from which routing reaches it, port 0
 *   SIO_ADDRESS_LIST_QUERY       out: a SOCKET_ADDRESS_LIST of the host's addresses of the socket's family
 *   SIO_ADDRESS_LIST_CHANGE      completes when the host's addresses change next; lpOverlapped must be given, and gets a
 *                                packet if the socket is associated with a port
 * lpCompletionRoutine must be NULL. 0; SOCKET_ERROR: WSA_IO_PENDING: it will complete; WSAEFAULT: no room, or a NULL
 * pointer; WSAEINVAL: a malformed address; WSAENETUNREACH, WSAEHOSTUNREACH: no route; WSAENOTSOCK; WSAEOPNOTSUPP: another
 * code. */
int WSAAPI WSAIoctl(SOCKET s, DWORD dwIoControlCode, LPVOID lpvInBuffer, DWORD cbInBuffer, LPVOID lpvOutBuffer,
                    DWORD cbOutBuffer, LPDWORD lpcbBytesReturned, LPWSAOVERLAPPED lpOverlapped,
                    LPWSAOVERLAPPED_COMPLETION_ROUTINE lpCompletionRoutine);

/* poll. How many sockets have something; 0: none in time (milliseconds, below 0: no limit); SOCKET_ERROR. */
int WSAAPI WSAPoll(LPWSAPOLLFD fdArray, ULONG fds, INT timeout);

/* With lpOverlapped NULL gives a handle that stands for the catalogue of providers, which can be associated with a port and is
 * closed with CloseHandle. With an OVERLAPPED asks to be told of the next change: the catalogue does not change while a
 * program runs, so that it stays pending. lpCompletionRoutine must be NULL.
 * 0; SOCKET_ERROR: WSA_IO_PENDING; WSAEFAULT: lpNotificationHandle is NULL; WSAEINVAL: not such a handle. */
int WSAAPI WSAProviderConfigChange(LPHANDLE lpNotificationHandle, LPWSAOVERLAPPED lpOverlapped,
                                   LPWSAOVERLAPPED_COMPLETION_ROUTINE lpCompletionRoutine);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

/* ---- the system's functions -------------------------------------------------------------------------------------- */

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Each calls the function of that name, and leaves its failure for WSAGetLastError too. Programs call them by the
 * names below. */
int opennd_winsock_accept(int s, struct sockaddr* address, socklen_t* length);
int opennd_winsock_bind(int s, const struct sockaddr* address, socklen_t length);
int opennd_winsock_connect(int s, const struct sockaddr* address, socklen_t length);
int opennd_winsock_gethostname(char* name, size_t length);
int opennd_winsock_getpeername(int s, struct sockaddr* address, socklen_t* length);
int opennd_winsock_getsockname(int s, struct sockaddr* address, socklen_t* length);
int opennd_winsock_getsockopt(int s, int level, int name, void* value, socklen_t* length);
int opennd_winsock_listen(int s, int backlog);
ssize_t opennd_winsock_recv(int s, void* data, size_t bytes, int flags);
ssize_t opennd_winsock_recvfrom(int s, void* data, size_t bytes, int flags, struct sockaddr* from, socklen_t* length);
ssize_t opennd_winsock_send(int s, const void* data, size_t bytes, int flags);
ssize_t opennd_winsock_sendto(int s, const void* data, size_t bytes, int flags, const struct sockaddr* to,
                              socklen_t length);
int opennd_winsock_setsockopt(int s, int level, int name, const void* value, socklen_t length);
int opennd_winsock_shutdown(int s, int how);

#pragma GCC visibility pop

/* This host's name. Its length is an int for Winsock, so that no function of the system's is chosen by it. 0; SOCKET_ERROR and
 * WSAEFAULT: NULL, or no room. */
#pragma redefine_extname gethostname opennd_winsock_gethostname
extern int gethostname(char* name, size_t length) __THROW;

#ifdef __cplusplus
} /* templates have no C linkage */

#include <type_traits>

/* Chosen by their first argument: with a SOCKET these, with an int the system's own. Lengths may be int, as Winsock has
 * them. */
template <typename S>
using opennd_if_socket = typename std::enable_if<std::is_same<S, SOCKET>::value, int>::type;

template <typename S, opennd_if_socket<S> = 0>
inline SOCKET accept(S s, struct sockaddr* address, int* length) {
    return (SOCKET)opennd_winsock_accept((int)s, address, (socklen_t*)length);
}
template <typename S, typename Length, opennd_if_socket<S> = 0>
inline int bind(S s, const struct sockaddr* address, Length length) {
    return opennd_winsock_bind((int)s, address, (socklen_t)length);
}
template <typename S, typename Length, opennd_if_socket<S> = 0>
inline int connect(S s, const struct sockaddr* address, Length length) {
    return opennd_winsock_connect((int)s, address, (socklen_t)length);
}
template <typename S, opennd_if_socket<S> = 0>
inline int getpeername(S s, struct sockaddr* address, int* length) {
    return opennd_winsock_getpeername((int)s, address, (socklen_t*)length);
}
template <typename S, opennd_if_socket<S> = 0>
inline int getsockname(S s, struct sockaddr* address, int* length) {
    return opennd_winsock_getsockname((int)s, address, (socklen_t*)length);
}
template <typename S, opennd_if_socket<S> = 0>
inline int getsockopt(S s, int level, int name, void* value, int* length) {
    return opennd_winsock_getsockopt((int)s, level, name, value, (socklen_t*)length);
}
template <typename S, opennd_if_socket<S> = 0>
inline int listen(S s, int backlog) {
    return opennd_winsock_listen((int)s, backlog);
}
template <typename S, typename Length, opennd_if_socket<S> = 0>
inline int recv(S s, void* data, Length bytes, int flags) {
    return (int)opennd_winsock_recv((int)s, data, (size_t)bytes, flags);
}
template <typename S, typename Length, opennd_if_socket<S> = 0>
inline int recvfrom(S s, void* data, Length bytes, int flags, struct sockaddr* from, int* length) {
    return (int)opennd_winsock_recvfrom((int)s, data, (size_t)bytes, flags, from, (socklen_t*)length);
}
template <typename S, typename Length, opennd_if_socket<S> = 0>
inline int send(S s, const void* data, Length bytes, int flags) {
    return (int)opennd_winsock_send((int)s, data, (size_t)bytes, flags);
}
template <typename S, typename Bytes, typename Length, opennd_if_socket<S> = 0>
inline int sendto(S s, const void* data, Bytes bytes, int flags, const struct sockaddr* to, Length length) {
    return (int)opennd_winsock_sendto((int)s, data, (size_t)bytes, flags, to, (socklen_t)length);
}
template <typename S, typename Length, opennd_if_socket<S> = 0>
inline int setsockopt(S s, int level, int name, const void* value, Length length) {
    return opennd_winsock_setsockopt((int)s, level, name, value, (socklen_t)length);
}
template <typename S, opennd_if_socket<S> = 0>
inline int shutdown(S s, int how) {
    return opennd_winsock_shutdown((int)s, how);
}

#else

/* C has one function of a name: where this header is included, a call of the first calls the second. */
#pragma redefine_extname accept opennd_winsock_accept
#pragma redefine_extname bind opennd_winsock_bind
#pragma redefine_extname connect opennd_winsock_connect
#pragma redefine_extname getpeername opennd_winsock_getpeername
#pragma redefine_extname getsockname opennd_winsock_getsockname
#pragma redefine_extname getsockopt opennd_winsock_getsockopt
#pragma redefine_extname listen opennd_winsock_listen
#pragma redefine_extname recv opennd_winsock_recv
#pragma redefine_extname recvfrom opennd_winsock_recvfrom
#pragma redefine_extname send opennd_winsock_send
#pragma redefine_extname sendto opennd_winsock_sendto
#pragma redefine_extname setsockopt opennd_winsock_setsockopt
#pragma redefine_extname shutdown opennd_winsock_shutdown

#endif

#ifdef UNICODE
#define WSASocket WSASocketW
#else
#define WSASocket WSASocketA
#endif

#endif

// SPDX-License-Identifier: MIT
// The system's calls of sockets, with their failure left for WSAGetLastError too.
#include <sys/utsname.h>

#include <cerrno>
#include <cstring>

#include "win32/sockets.h"
#include "windows/socket_error.h"

namespace {

template <typename Result>
Result told(Result result) {
    if (result < 0) {
        const int kept = errno;
        opennd::windows::refuse_socket_call(kept);
        errno = kept;
    }
    return result;
}

}  // namespace

int opennd_winsock_accept(int s, sockaddr* address, socklen_t* length) { return told(accept(s, address, length)); }

int opennd_winsock_bind(int s, const sockaddr* address, socklen_t length) { return told(bind(s, address, length)); }

int opennd_winsock_connect(int s, const sockaddr* address, socklen_t length) {
    return told(connect(s, address, length));
}

// Where the header of sockets is included, the system's function of that name is this one.
int opennd_winsock_gethostname(char* name, size_t length) {
    utsname host;
    if (uname(&host) != 0) return opennd::windows::refuse_socket_call(errno);
    const std::size_t needed = std::strlen(host.nodename) + 1;
    if (name == nullptr || needed > length) return opennd::windows::refuse_socket_call(EFAULT);
    std::memcpy(name, host.nodename, needed);
    return 0;
}

int opennd_winsock_getpeername(int s, sockaddr* address, socklen_t* length) {
    return told(getpeername(s, address, length));
}

int opennd_winsock_getsockname(int s, sockaddr* address, socklen_t* length) {
    return told(getsockname(s, address, length));
}

int opennd_winsock_getsockopt(int s, int level, int name, void* value, socklen_t* length) {
    return told(getsockopt(s, level, name, value, length));
}

int opennd_winsock_listen(int s, int backlog) { return told(listen(s, backlog)); }

ssize_t opennd_winsock_recv(int s, void* data, size_t bytes, int flags) { return told(recv(s, data, bytes, flags)); }

ssize_t opennd_winsock_recvfrom(int s, void* data, size_t bytes, int flags, sockaddr* from, socklen_t* length) {
    return told(recvfrom(s, data, bytes, flags, from, length));
}

// Winsock has no signal for a peer that is gone.
ssize_t opennd_winsock_send(int s, const void* data, size_t bytes, int flags) {
    return told(send(s, data, bytes, flags | MSG_NOSIGNAL));
}

ssize_t opennd_winsock_sendto(int s, const void* data, size_t bytes, int flags, const sockaddr* to, socklen_t length) {
    return told(sendto(s, data, bytes, flags | MSG_NOSIGNAL, to, length));
}

int opennd_winsock_setsockopt(int s, int level, int name, const void* value, socklen_t length) {
    return told(setsockopt(s, level, name, value, length));
}

int opennd_winsock_shutdown(int s, int how) { return told(shutdown(s, how)); }

// SPDX-License-Identifier: MIT
// WSASocket, closesocket, ioctlsocket, WSAPoll. socket_requests.cpp has WSAIoctl.
#include "win32/sockets.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>

#include "windows/last_error.h"
#include "windows/socket_error.h"
#include "windows/sockets/address_changes.h"

namespace opennd::windows {
namespace {

SOCKET open_socket(int family, int type, int protocol, const void* info, GROUP group, DWORD flags) {
    if (info != nullptr || group != 0 || (flags & ~DWORD{WSA_FLAG_OVERLAPPED | WSA_FLAG_NO_HANDLE_INHERIT}) != 0)
        return fail(WSAEINVAL, INVALID_SOCKET);
    if (family != AF_INET && family != AF_INET6) return fail(WSAEAFNOSUPPORT, INVALID_SOCKET);
    const int descriptor = socket(family, type | SOCK_CLOEXEC, protocol);
    if (descriptor < 0) return fail(static_cast<DWORD>(socket_error(errno)), INVALID_SOCKET);
    return static_cast<SOCKET>(descriptor);
}

int set_blocking(int descriptor, bool blocking) {
    const int flags = fcntl(descriptor, F_GETFL);
    return flags < 0 ? -1 : fcntl(descriptor, F_SETFL, blocking ? flags & ~O_NONBLOCK : flags | O_NONBLOCK);
}

}  // namespace
}  // namespace opennd::windows

using namespace opennd::windows;

SOCKET WSASocketA(int af, int type, int protocol, LPWSAPROTOCOL_INFOA lpProtocolInfo, GROUP g, DWORD dwFlags) {
    return open_socket(af, type, protocol, lpProtocolInfo, g, dwFlags);
}

SOCKET WSASocketW(int af, int type, int protocol, LPWSAPROTOCOL_INFOW lpProtocolInfo, GROUP g, DWORD dwFlags) {
    return open_socket(af, type, protocol, lpProtocolInfo, g, dwFlags);
}

int closesocket(SOCKET s) {
    const int descriptor = static_cast<int>(s);
    int type = 0;
    socklen_t length = sizeof type;
    // A descriptor of something else is not closed under its owner.
    if (getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &length) != 0) return refuse_socket_call(errno);
    AddressChanges::instance().forget(s);
    return close(descriptor) == 0 ? 0 : refuse_socket_call(errno);
}

int ioctlsocket(SOCKET s, LONG cmd, VOID* argp) {
    if (argp == nullptr) return fail(WSAEFAULT, SOCKET_ERROR);
    auto& argument = *static_cast<ULONG*>(argp);
    const int descriptor = static_cast<int>(s);
    int readable = 0;
    switch (static_cast<ULONG>(cmd)) {
        case FIONBIO: return set_blocking(descriptor, argument == 0) == 0 ? 0 : refuse_socket_call(errno);
        case FIONREAD:
            if (ioctl(descriptor, FIONREAD, &readable) != 0) return refuse_socket_call(errno);
            argument = static_cast<ULONG>(readable);
            return 0;
        default: return fail(WSAEINVAL, SOCKET_ERROR);
    }
}

int WSAPoll(LPWSAPOLLFD fdArray, ULONG fds, INT timeout) {
    if (fdArray == nullptr && fds != 0) return fail(WSAEFAULT, SOCKET_ERROR);
    const int ready = poll(fdArray, fds, timeout);
    return ready >= 0 ? ready : refuse_socket_call(errno);
}

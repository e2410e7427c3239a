// SPDX-License-Identifier: MIT
// WSAIoctl and WSAProviderConfigChange.
#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <new>
#include <vector>

#include "opennd.h"
#include "win32/layout.h"
#include "win32/sockets.h"
#include "windows/last_error.h"
#include "windows/socket_error.h"
#include "windows/sockets/address_changes.h"
#include "windows/sockets/host_addresses.h"
#include "windows/sockets/notifier.h"

namespace opennd::windows {
namespace {

int refuse(DWORD error) { return fail(error, SOCKET_ERROR); }

// ERROR_SUCCESS, and the family of the socket.
int family_of(SOCKET s, int& family) {
    socklen_t length = sizeof family;
    return getsockopt(static_cast<int>(s), SOL_SOCKET, SO_DOMAIN, &family, &length) == 0 ? ERROR_SUCCESS
                                                                                         : socket_error(errno);
}

// The place for a request's answer.
struct Output {
    void* buffer;
    DWORD room;
    DWORD* bytes;  // written, or needed

    // Returns false if there is no room.
    bool fits(DWORD needed) const {
        *bytes = needed;
        return buffer != nullptr && room >= needed;
    }
};

int query_route(const SOCKADDR* remote, DWORD remote_bytes, const Output& out) {
    if (remote == nullptr) return refuse(WSAEFAULT);
    SOCKADDR_STORAGE source;
    if (const int error = source_address(remote, remote_bytes, source); error != ERROR_SUCCESS)
        return refuse(static_cast<DWORD>(error));
    const auto length = static_cast<DWORD>(length_of(source));
    if (!out.fits(length)) return refuse(WSAEFAULT);
    std::memcpy(out.buffer, &source, length);
    return 0;
}

int query_addresses(int family, const Output& out) {
    const std::vector<SOCKADDR_STORAGE> addresses = host_addresses(family);
    std::size_t needed = SIZEOF_SOCKET_ADDRESS_LIST(addresses.size());
    const std::size_t head = needed;
    for (const SOCKADDR_STORAGE& address : addresses) needed += static_cast<std::size_t>(length_of(address));
    if (!out.fits(static_cast<DWORD>(needed))) return refuse(WSAEFAULT);
    auto* const list = static_cast<SOCKET_ADDRESS_LIST*>(out.buffer);
    auto* place = static_cast<BYTE*>(out.buffer) + head;
    list->iAddressCount = static_cast<INT>(addresses.size());
    for (std::size_t i = 0; i < addresses.size(); ++i) {
        const INT length = length_of(addresses[i]);
        std::memcpy(place, &addresses[i], static_cast<std::size_t>(length));
        list->Address[i] = {reinterpret_cast<SOCKADDR*>(place), length};
        place += length;
    }
    return 0;
}

int watch_addresses(SOCKET s, OVERLAPPED* overlapped) {
    if (overlapped == nullptr) return refuse(WSAEFAULT);
    const int error = AddressChanges::instance().watch(s, overlapped);
    return refuse(error == ERROR_SUCCESS ? DWORD{WSA_IO_PENDING} : static_cast<DWORD>(error));
}

}  // namespace
}  // namespace opennd::windows

using namespace opennd::windows;

int WSAIoctl(SOCKET s, DWORD dwIoControlCode, LPVOID lpvInBuffer, DWORD cbInBuffer, LPVOID lpvOutBuffer,
             DWORD cbOutBuffer, LPDWORD lpcbBytesReturned, LPWSAOVERLAPPED lpOverlapped,
             LPWSAOVERLAPPED_COMPLETION_ROUTINE lpCompletionRoutine) try {
    if (lpcbBytesReturned == nullptr) return refuse(WSAEFAULT);
    if (lpCompletionRoutine != nullptr) return refuse(WSAEINVAL);
    int family = AF_UNSPEC;
    if (const int error = family_of(s, family); error != ERROR_SUCCESS) return refuse(static_cast<DWORD>(error));
    const Output out{lpvOutBuffer, cbOutBuffer, lpcbBytesReturned};
    switch (dwIoControlCode) {
        case SIO_ROUTING_INTERFACE_QUERY:
            return query_route(static_cast<const SOCKADDR*>(lpvInBuffer), cbInBuffer, out);
        case SIO_ADDRESS_LIST_QUERY: return query_addresses(family, out);
        case SIO_ADDRESS_LIST_CHANGE: return watch_addresses(s, lpOverlapped);
        default: return refuse(WSAEOPNOTSUPP);
    }
} catch (const std::bad_alloc&) {
    return refuse(WSAENOBUFS);
}

int WSAProviderConfigChange(LPHANDLE lpNotificationHandle, LPWSAOVERLAPPED lpOverlapped,
                            LPWSAOVERLAPPED_COMPLETION_ROUTINE lpCompletionRoutine) {
    if (lpNotificationHandle == nullptr) return refuse(WSAEFAULT);
    if (lpCompletionRoutine != nullptr) return refuse(WSAEINVAL);
    if (lpOverlapped == nullptr) {
        HANDLE const handle = make_notifier();
        if (handle == nullptr) return refuse(WSAENOBUFS);
        *lpNotificationHandle = handle;
        return 0;
    }
    if (!is_notifier(*lpNotificationHandle)) return refuse(WSAEINVAL);
    lpOverlapped->Internal = static_cast<ULONG_PTR>(ND_PENDING);
    return refuse(WSA_IO_PENDING);
}

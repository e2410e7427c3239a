// SPDX-License-Identifier: MIT
// Requests that wait for the host's addresses to change (SIO_ADDRESS_LIST_CHANGE), and the ports that sockets are
// associated with.
#pragma once

#include <map>
#include <mutex>
#include <vector>

#include "win32/sockets.h"

namespace opennd::windows {

// Any thread. One for the process, never destroyed: its thread listens to the kernel until the process ends.
class AddressChanges {
public:
    static AddressChanges& instance();

    // The request completes with the next change. ERROR_SUCCESS; a code of Winsock: the kernel does not tell of changes.
    int watch(SOCKET socket, OVERLAPPED* overlapped);

    // Returns false if the socket has a port already.
    bool associate(SOCKET socket, HANDLE port, ULONG_PTR key);

    // The socket is closed: its waiting requests are cancelled.
    void forget(SOCKET socket);

private:
    struct Port {
        HANDLE handle = nullptr;
        ULONG_PTR key = 0;
    };
    struct Request {
        SOCKET socket;
        OVERLAPPED* overlapped;
    };

    int open();
    void listen();
    void complete_all();
    void complete(const Request& request, NTSTATUS status);

    std::mutex mutex_;
    int kernel_ = -1;  // a netlink socket, once somebody watches
    std::map<SOCKET, Port> ports_;
    std::vector<Request> requests_;
};

}  // namespace opennd::windows

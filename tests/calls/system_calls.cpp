// SPDX-License-Identifier: MIT
// See system_calls.h.
#include "calls/system_calls.h"

#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace opennd::calls {
namespace {

thread_local SystemCalls made;

}  // namespace

SystemCalls made_by_this_thread() { return made; }

// Else the library would not find them.
#pragma GCC visibility push(default)
extern "C" {

ssize_t recv(int socket, void* bytes, size_t length, int flags) {
    ++made.receives;
    return ::syscall(SYS_recvfrom, socket, bytes, length, flags, nullptr, nullptr);
}

ssize_t recvmsg(int socket, msghdr* message, int flags) {
    ++made.receives;
    return ::syscall(SYS_recvmsg, socket, message, flags);
}

ssize_t send(int socket, const void* bytes, size_t length, int flags) {
    ++made.sends;
    return ::syscall(SYS_sendto, socket, bytes, length, flags, nullptr, 0);
}

ssize_t sendmsg(int socket, const msghdr* message, int flags) {
    ++made.sends;
    return ::syscall(SYS_sendmsg, socket, message, flags);
}

int epoll_wait(int set, epoll_event* events, int most, int timeout) {
    ++made.epoll_waits;
    return static_cast<int>(::syscall(SYS_epoll_pwait, set, events, most, timeout, nullptr, 0));
}

}  // extern "C"
#pragma GCC visibility pop

}  // namespace opennd::calls

// SPDX-License-Identifier: MIT
// The system calls on sockets that this thread made, counted. A program that links system_calls.cpp has its own recv, send and
// epoll_wait in front of the C library's.
#pragma once

#include <cstdint>

namespace opennd::calls {

struct SystemCalls {
    std::uint64_t receives = 0, sends = 0, epoll_waits = 0;
};

SystemCalls made_by_this_thread();
inline SystemCalls operator-(const SystemCalls& a, const SystemCalls& b) {
    return {a.receives - b.receives, a.sends - b.sends, a.epoll_waits - b.epoll_waits};
}

}  // namespace opennd::calls

// SPDX-License-Identifier: MIT
// A doorbell between threads (eventfd): several ring() before a clear() count as one. Not between processes that do not
// trust each other: another process with the descriptor can make ring() block (LocalSocket::send() never blocks).
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

#include "base/result.h"
#include "platform/descriptor/descriptor.h"

namespace opennd {

// Movable. ring(), clear() and descriptor() from any thread.
class Doorbell {
public:
    // No doorbell: ring() and clear() do nothing.
    Doorbell() = default;

    // insufficient_resources: no descriptor left; no_memory.
    static Result<Doorbell> create();

    // Takes over a non-blocking eventfd that this process or one it trusts made.
    static Doorbell adopt(Descriptor fd) { return Doorbell(std::move(fd)); }

    // Makes descriptor() readable. One system call; earlier stores are visible to every thread that sees it readable.
    void ring();

    // A thread was told of a ring by a watch for arrivals (EPOLLET): nothing need be cleared. Stores made before the ring are visible
    // afterwards.
    static void heard() { (void)rings_.load(std::memory_order_acquire); }
    // Makes descriptor() not readable until the next ring(). Never blocks. Stores made before the cleared rings are
    // visible afterwards.
    void clear();

    // Borrowed; polls readable while rung.
    int descriptor() const { return fd_.get(); }

private:
    explicit Doorbell(Descriptor fd) : fd_(std::move(fd)) {}

    Descriptor fd_;

    // The kernel orders a write and the read that sees it; C++ does not know. Release and acquire, for all doorbells of this
    // process: beside a system call it costs nothing.
    inline static std::atomic<std::uint32_t> rings_{0};
};

}  // namespace opennd

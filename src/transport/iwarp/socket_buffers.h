// SPDX-License-Identifier: MIT
// Memory that sockets are filled from and emptied into, lent to a connection while octets of it lie there: memory follows the
// octets, not the connections, and what was used last, and is warm, is used next.
//
// A buffer begins in the middle of a page: the kernel copies long stretches by an instruction that some processors (Zen 3 and 4)
// carry out at a twentieth of its speed where the target lies less than 64 bytes behind the source, as seen within a page. The
// kernel's own buffers begin with pages, and so do malloc's, but for 16 bytes (docs/decisions/0013).
#pragma once

#include <cstddef>

#include "base/lock.h"
#include "base/ref.h"

namespace opennd::iwarp {

// The buffers of all connections of the wire. Any thread.
class SocketBuffers final : public RefCounted {
public:
    // Octets of one.
    static constexpr std::size_t kBytes = 256 * 1024;
    // Buffers that are kept while none needs them: their pages are committed as far as they were ever used.
    static constexpr std::size_t kMostKept = 16;

    SocketBuffers() = default;

    // Returns null if the system has no memory.
    std::byte* borrow() EXCLUDES(lock_);
    void give_back(std::byte* buffer) EXCLUDES(lock_);

private:
    ~SocketBuffers() override;

    struct Kept {
        Kept* next;
    };

    SpinLock lock_;  // for the list; nothing is called under it
    Kept* newest_ GUARDED_BY(lock_) = nullptr;
    std::size_t kept_ GUARDED_BY(lock_) = 0;
};

// One buffer of a connection, or none. Not thread-safe.
class BorrowedBuffer {
public:
    explicit BorrowedBuffer(SocketBuffers& buffers) : buffers_(buffers) {}
    ~BorrowedBuffer() { give_back(); }
    BorrowedBuffer(const BorrowedBuffer&) = delete;
    BorrowedBuffer& operator=(const BorrowedBuffer&) = delete;

    // Returns false if the system has no memory.
    [[nodiscard]] bool borrow() {
        if (!memory_) memory_ = buffers_.borrow();
        return memory_ != nullptr;
    }
    void give_back() {
        if (memory_) buffers_.give_back(memory_);
        memory_ = nullptr;
    }
    // Returns null if none is borrowed.
    std::byte* get() const { return memory_; }

private:
    SocketBuffers& buffers_;
    std::byte* memory_ = nullptr;
};

}  // namespace opennd::iwarp

// SPDX-License-Identifier: MIT
// Memory that a socket is filled from or emptied into. It begins in the middle of a page: the kernel copies long stretches
// by an instruction that some processors (Zen 3 and 4) carry out at a twentieth of its speed where the target lies less than
// 64 bytes behind the source, as seen within a page. The kernel's own buffers begin with pages, and so do malloc's, but for
// 16 bytes (docs/decisions/0013).
#pragma once

#include <cstddef>
#include <cstdint>

#include "platform/memory/lazy_array.h"

namespace opennd::iwarp {

class SocketBuffer {
public:
    // Pages are committed as they are used.
    explicit SocketBuffer(std::size_t bytes) : memory_(lazily_committed<std::byte>(bytes + kPage)) {}

    std::byte* get() const {
        const auto address = reinterpret_cast<std::uintptr_t>(memory_.get());
        return memory_.get() + (kPage + kPage / 2 - address % kPage) % kPage;
    }

private:
    static constexpr std::size_t kPage = 4096;

    const LazyArray<std::byte> memory_;
};

}  // namespace opennd::iwarp

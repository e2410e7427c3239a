// SPDX-License-Identifier: MIT
// See socket_buffers.h.
#include "transport/iwarp/socket_buffers.h"

#include <new>
#include <utility>

#include "platform/memory/lazy_array.h"

namespace opennd::iwarp {
namespace {

constexpr std::size_t kPage = 4096;
constexpr std::size_t kMapped = SocketBuffers::kBytes + kPage;

// Makes a buffer in a mapping of its own, half a page behind its beginning. Null: there is no memory.
std::byte* new_buffer() {
    try {
        return static_cast<std::byte*>(lazily_zeroed(kMapped)) + kPage / 2;
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}

void release_buffer(void* buffer) { LazyRelease{kMapped}(static_cast<std::byte*>(buffer) - kPage / 2); }

}  // namespace

SocketBuffers::~SocketBuffers() {
    while (newest_) release_buffer(std::exchange(newest_, newest_->next));
}

std::byte* SocketBuffers::borrow() {
    {
        const Held lock(lock_);
        if (Kept* const newest = newest_) {
            newest_ = newest->next;
            --kept_;
            return reinterpret_cast<std::byte*>(newest);
        }
    }
    return new_buffer();
}

void SocketBuffers::give_back(std::byte* buffer) {
    {
        const Held lock(lock_);
        if (kept_ < kMostKept) {
            newest_ = new (buffer) Kept{newest_};
            ++kept_;
            return;
        }
    }
    release_buffer(buffer);
}

}  // namespace opennd::iwarp

// SPDX-License-Identifier: MIT
// See lazy_array.h.
#include "platform/memory/lazy_array.h"

#include <sys/mman.h>

#include <cstdlib>

namespace opennd {
namespace {

constexpr std::size_t kOfItsOwn = std::size_t{64} * 1024;

}  // namespace

void* lazily_zeroed(std::size_t bytes) {
    if (bytes < kOfItsOwn) {
        if (void* const memory = std::calloc(1, bytes == 0 ? 1 : bytes)) return memory;
        throw std::bad_alloc();
    }
    void* const memory =
        mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    return memory;
}

void LazyRelease::operator()(void* memory) const noexcept {
    if (bytes < kOfItsOwn) {
        std::free(memory);
    } else {
        munmap(memory, bytes);
    }
}

}  // namespace opennd

// SPDX-License-Identifier: MIT
// See constant_page.h.
#include "platform/memory/constant_page.h"

#include <cstring>

#include <sys/mman.h>

namespace opennd {

const void* make_constant_page(const void* contents, std::size_t bytes) noexcept {
    void* const page = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) return nullptr;
    std::memcpy(page, contents, bytes);
    mprotect(page, bytes, PROT_READ);
    return page;
}

void replace_constant_page(const void* page, const void* contents, std::size_t bytes) noexcept {
    void* const writable = const_cast<void*>(page);
    if (mprotect(writable, bytes, PROT_READ | PROT_WRITE) != 0) return;
    std::memcpy(writable, contents, bytes);
    mprotect(writable, bytes, PROT_READ);
}

void drop_constant_page(const void* page, std::size_t bytes) noexcept { munmap(const_cast<void*>(page), bytes); }

}  // namespace opennd

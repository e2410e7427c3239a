// SPDX-License-Identifier: MIT
//
// Ordinary memory is deliberately not page-aligned: registration must serve any address (ND2-MR-REG-05).
#include "support/buffer.h"

#include <opennd.h>

#include <cstring>

#include "support/kernel_limits.h"
#include "support/status.h"

namespace opennd::support {

const char* name_of(MemoryKind kind) { return kind == MemoryKind::ordinary ? "OrdinaryMemory" : "MappableMemory"; }

Buffer::Buffer(std::size_t size_bytes, MemoryKind kind) : size_bytes_(size_bytes), kind_(kind) {
    if (kind == MemoryKind::ordinary) {
        data_ = new std::byte[size_bytes]();
        return;
    }
    void* memory = nullptr;
    require(opennd_memory_allocate(size_bytes, &memory), ND_SUCCESS, "opennd_memory_allocate");
    data_ = static_cast<std::byte*>(memory);
    // The library's zeros are the kernel's, and have tests of their own. Where that keeps pages, these are made here.
    static const bool keeps_pages = !keeps_removed_pages().empty();
    if (keeps_pages) std::memset(data_, 0, size_bytes);
}

Buffer::~Buffer() {
    if (kind_ == MemoryKind::ordinary) {
        delete[] data_;
    } else {
        EXPECT_TRUE(is(opennd_memory_free(data_), ND_SUCCESS));
    }
}

}  // namespace opennd::support

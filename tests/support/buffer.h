// SPDX-License-Identifier: MIT
//
// Buffer: memory for transfers, of either kind that a transport may treat differently. Zeros at first.
#pragma once

#include <cstddef>
#include <span>

namespace opennd::support {

enum class MemoryKind {
    ordinary,  // from the C++ heap: peers reach it only by copying
    mappable,  // from opennd_memory_allocate: peers on this host may map it
};

const char* name_of(MemoryKind kind);

class Buffer {
public:
    explicit Buffer(std::size_t size_bytes, MemoryKind kind = MemoryKind::ordinary);
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;
    ~Buffer();

    std::byte* data() const { return data_; }
    std::size_t size() const { return size_bytes_; }
    std::span<std::byte> bytes() const { return {data_, size_bytes_}; }
    std::span<std::byte> bytes(std::size_t offset, std::size_t length) const { return bytes().subspan(offset, length); }

private:
    std::byte* data_ = nullptr;
    std::size_t size_bytes_;
    MemoryKind kind_;
};

}  // namespace opennd::support

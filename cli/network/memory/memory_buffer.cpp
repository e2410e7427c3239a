// SPDX-License-Identifier: MIT
//
// Read memory_buffer.h first.
#include "network/memory/memory_buffer.h"

#include "nd_error.h"

#include <cstdlib>
#include <cstring>
#include <limits>
#include <new>
#include <string>

namespace nd {
namespace {

constexpr std::size_t kPage = 4096;

void* allocate(std::size_t bytes, MemoryKind kind) {
    if (bytes > std::numeric_limits<std::size_t>::max() - kPage) throw std::bad_alloc();
    void* memory = nullptr;
    if (kind == MemoryKind::mappable) {
        check(opennd_memory_allocate(bytes, &memory), "allocate " + std::to_string(bytes) + " bytes of mappable memory",
              "opennd_memory_allocate");
    } else {
        memory = std::aligned_alloc(kPage, (bytes + kPage - 1) / kPage * kPage);
        if (memory == nullptr) throw std::bad_alloc();
    }
    std::memset(memory, 0, bytes);  // touch every page before anything is timed
    return memory;
}

void release(void* memory, MemoryKind kind) {
    if (kind == MemoryKind::mappable)
        opennd_memory_free(memory);
    else
        std::free(memory);
}

}  // namespace

MemoryBuffer::MemoryBuffer(const Adapter& adapter, std::size_t bytes, MemoryKind kind)
    : bytes_(bytes), kind_(kind), registration_(adapter), memory_(allocate(bytes, kind)) {
    try {
        check(request_.wait(registration_.object(), registration_.begin(memory_, bytes_, request_.overlapped())),
              "register " + std::to_string(bytes) + " bytes", registration_.begin_method());
    } catch (...) {
        release(memory_, kind_);
        throw;
    }
}

MemoryBuffer::~MemoryBuffer() {
    if (registration_.end(request_.overlapped()) == ND_PENDING) registration_.object().result(request_.overlapped());
    release(memory_, kind_);
}

Piece MemoryBuffer::part(std::size_t offset, std::size_t length) const {
    Piece piece;
    piece.nd2 = {data() + offset, static_cast<ULONG>(length), registration_.local_token()};
    piece.nd1 = {data() + offset, length, registration_.handle()};
    piece.ndk.VirtualAddress = data() + offset;
    piece.ndk.Length = static_cast<ULONG>(length);
    piece.ndk.MemoryRegionToken = registration_.local_token();
    return piece;
}

}  // namespace nd

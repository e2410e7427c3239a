// SPDX-License-Identifier: MIT
//
// MemoryBuffer: zeroed, page-aligned, registered memory.
#pragma once

#include "network/adapter.h"
#include "network/pending_request.h"

#include <cstddef>
#include <cstdint>

namespace nd {

enum class MemoryKind : std::uint32_t {
    ordinary,  // "private": what malloc gives
    mappable,  // opennd_memory_allocate: peers on this host can map it
};

class MemoryBuffer {
public:
    // Registered for everything: local access, remote Read and Write, sink of Reads.
    MemoryBuffer(const Adapter& adapter, std::size_t bytes, MemoryKind kind);
    ~MemoryBuffer();
    MemoryBuffer(const MemoryBuffer&) = delete;
    MemoryBuffer& operator=(const MemoryBuffer&) = delete;

    std::byte* data() const { return static_cast<std::byte*>(memory_); }
    std::size_t size() const { return bytes_; }
    UINT32 local_token() const { return local_token_; }
    UINT32 remote_token() const { return remote_token_; }

    // Part of the buffer, for a post. offset + length is inside, as the caller made sure.
    ND2_SGE part(std::size_t offset, std::size_t length) const;

private:
    std::size_t bytes_;
    MemoryKind kind_;
    void* memory_ = nullptr;
    UINT32 local_token_ = 0, remote_token_ = 0;
    PendingRequest request_;  // outlives the region
    ComPtr<IND2MemoryRegion> region_;
};

}  // namespace nd

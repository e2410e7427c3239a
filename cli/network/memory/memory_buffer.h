// SPDX-License-Identifier: MIT
//
// MemoryBuffer: zeroed, page-aligned, registered memory.
#pragma once

#include "network/api/pending_request.h"
#include "network/memory/piece.h"
#include "network/memory/registration.h"

#include <cstddef>
#include <cstdint>

namespace nd {

enum class MemoryKind : std::uint32_t {
    ordinary,  // "private": from malloc
    mappable,  // opennd_memory_allocate: peers on this host can map it
};

class MemoryBuffer {
public:
    // Peers get at it by Connection::grant.
    MemoryBuffer(const Adapter& adapter, std::size_t bytes, MemoryKind kind);
    ~MemoryBuffer();
    MemoryBuffer(const MemoryBuffer&) = delete;
    MemoryBuffer& operator=(const MemoryBuffer&) = delete;

    std::byte* data() const { return static_cast<std::byte*>(memory_); }
    std::size_t size() const { return bytes_; }
    UINT32 remote_token() const { return registration_.remote_token(); }

    // Part of the buffer, for a post. offset + length is inside, as the caller made sure.
    Piece part(std::size_t offset, std::size_t length) const;

private:
    std::size_t bytes_;
    MemoryKind kind_;
    PendingRequest request_;  // outlives the registration
    Registration registration_;
    void* memory_;
};

}  // namespace nd

// SPDX-License-Identifier: MIT
// The memory of a link for payload that does not fit into a frame: chunks of one side, the producer's, which its frames name by
// numbers. The producer's end is chunk_pool.h.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "transport/local/arena/segment.h"

namespace opennd::local {

inline constexpr std::uint32_t kMostPayload = 16 * 1024;  // most payload of one frame

// Chunks of one size.
struct ChunkKind {
    std::uint32_t payload;  // bytes
    std::uint32_t
        stride;  // bytes from one to the next: no power of two, so that chunks do not meet in the same sets of a cache
    std::uint32_t shared;  // the chunks beyond one for each connection of the link
    std::uint32_t kept;    // of the lowest numbers: they have turns, and their memory stays

    constexpr std::uint32_t count() const { return kConnections + shared; }
};
// The chunks that have turns are more than a second-level cache holds: with fewer of them a stream takes up to twice as
// long, as each line is taken away from the other side.
inline constexpr std::array<ChunkKind, 3> kChunkKinds{{
    {1152, 1152, 4096, 1024},
    {4608, 4608, 512, 512},
    {kMostPayload, kMostPayload + 128, 256, 128},
}};

// The number of the first chunk of a kind, and where it lies.
struct ChunkOrigin {
    std::uint32_t number;
    std::size_t offset;
};
constexpr ChunkOrigin chunk_origin(std::size_t kind) {
    ChunkOrigin origin{0, 0};
    for (std::size_t before = 0; before < kind; ++before) {
        origin.number += kChunkKinds[before].count();
        origin.offset += std::size_t{kChunkKinds[before].count()} * kChunkKinds[before].stride;
    }
    return origin;
}
inline constexpr std::uint32_t kChunks = chunk_origin(kChunkKinds.size()).number;

struct Chunks {
    alignas(4096) std::byte memory[chunk_origin(kChunkKinds.size()).offset];

    static constexpr std::size_t kind_of(std::uint32_t number) {
        std::size_t kind = 0;
        while (number >= chunk_origin(kind + 1).number) ++kind;
        return kind;
    }
    // Returns the chunk with this number; null if there is none, or it is too small for the payload.
    std::byte* find(std::uint32_t number, std::uint32_t length) {
        if (number >= kChunks) return nullptr;
        const std::size_t kind = kind_of(number);
        const ChunkOrigin origin = chunk_origin(kind);
        if (length > kChunkKinds[kind].payload) return nullptr;
        return memory + origin.offset + std::size_t{number - origin.number} * kChunkKinds[kind].stride;
    }
};

}  // namespace opennd::local

// SPDX-License-Identifier: MIT
// The chunks of one lane's producer, in the order of the frames that name them. What is left comes back with the object.
#pragma once

#include <array>
#include <cstdint>

#include "base/ref.h"
#include "transport/local/link/chunk_pool.h"
#include "transport/local/link/segment.h"

namespace opennd::local {

// Not thread-safe.
class ChunksInFlight {
public:
    explicit ChunksInFlight(Ref<ChunkPool> pool) : pool_(std::move(pool)) {}
    ~ChunksInFlight();
    ChunksInFlight(const ChunksInFlight&) = delete;
    ChunksInFlight& operator=(const ChunksInFlight&) = delete;

    // The number of frames that name a chunk.
    std::uint32_t count() const { return end_ - oldest_; }

    // Reserves memory for the payload of the next frame with a chunk; null: there is none now. Returns the same again
    // until keep().
    std::byte* reserve(std::uint32_t length);
    // Notes that the frame with this number is about to name the reserved chunk, and returns the chunk's number.
    // `answer`: the frame is not taken back.
    std::uint16_t keep(std::uint32_t frame, bool answer);

    // Returns the chunks of frames below this number, which are consumed.
    void return_consumed(std::uint32_t frame);
    // Returns the chunks of all frames but answers: no others are read any more.
    void return_withdrawn();

private:
    struct Entry {
        std::uint32_t frame;
        std::uint16_t chunk;
        bool answer;
    };
    static_assert(kChunks < UINT16_MAX);
    static constexpr std::uint32_t kNone = UINT32_MAX;

    void give(std::uint32_t chunk);
    Entry& at(std::uint32_t place) { return entries_[place % kFrames]; }

    const Ref<ChunkPool> pool_;
    std::array<Entry, kFrames> entries_;
    std::uint32_t oldest_ = 0, end_ = 0;  // places in use
    std::uint32_t reserved_ = kNone;
    std::array<std::uint8_t, kChunkKinds.size()> held_{};  // of each kind, with the reserved one
};

}  // namespace opennd::local

// SPDX-License-Identifier: MIT
// The chunks of one lane's producer: those that frames name, in the order of the frames, and a few for the frames to come. What is
// left comes back with the object.
#pragma once

#include <array>
#include <cstdint>

#include "base/ref.h"
#include "transport/local/arena/chunk_pool.h"
#include "transport/local/arena/segment.h"

namespace opennd::local {

// Not thread-safe.
class ChunksInFlight {
public:
    // The chunks that are taken, and given back, at a time.
    static constexpr std::uint32_t kAtOnce = 8;

    explicit ChunksInFlight(Ref<ChunkPool> pool) : pool_(std::move(pool)) {}
    ~ChunksInFlight();
    ChunksInFlight(const ChunksInFlight&) = delete;
    ChunksInFlight& operator=(const ChunksInFlight&) = delete;

    // Reserves memory for the payload of the next frame with a chunk; null: there is none now. Returns the same again
    // until keep().
    std::byte* reserve(std::uint32_t length);
    // Notes that the frame with this number is about to name the reserved chunk, and returns the chunk's number.
    // `answer`: the frame is not taken back.
    std::uint16_t keep(std::uint32_t frame, bool answer);

    // Returns the chunks of frames below this number, which are consumed, if they are many, or there are not plenty of chunks.
    void return_many(std::uint32_t frame) {
        const bool many = end_ - oldest_ >= kAtOnce && is_before(at(oldest_ + kAtOnce - 1), frame);
        if (many || end_ - oldest_ == kFrames || !pool_->has_plenty()) [[unlikely]]
            return_consumed(frame);
    }
    // Returns the chunks of frames below this number, which are consumed.
    void return_consumed(std::uint32_t frame);
    // Returns the chunks of all frames but answers: no others are read any more.
    void return_withdrawn();
    // Returns the chunks for the frames to come.
    void return_unused();

private:
    struct Entry {
        std::uint32_t frame;
        std::uint16_t chunk;
        bool answer;
    };
    static_assert(kChunks < UINT16_MAX);
    // Chunks of one kind for the frames to come, the next one last.
    struct Stock {
        std::uint8_t count = 0;
        std::array<std::uint16_t, kAtOnce> chunks;
    };

    static bool is_before(const Entry& entry, std::uint32_t frame) {
        return static_cast<std::int32_t>(entry.frame - frame) < 0;
    }
    Entry& at(std::uint32_t place) { return entries_[place % kFrames]; }

    const Ref<ChunkPool> pool_;
    std::array<Entry, kFrames> entries_;
    std::uint32_t oldest_ = 0, end_ = 0;  // places in use
    std::size_t reserved_ = 0;            // the kind of the newest reserve()
    std::array<Stock, kChunkKinds.size()> stock_{};
    ChunkPool::Counts held_{};  // in places and in stock
};

}  // namespace opennd::local

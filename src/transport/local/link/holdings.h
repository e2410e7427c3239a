// SPDX-License-Identifier: MIT
// What one lane's producer has of its side's memory: slots for frames, and chunks. All comes back with the object.
#pragma once

#include <cstdint>
#include <memory>
#include <new>

#include "transport/local/link/chunks_in_flight.h"
#include "transport/local/link/frame_slots.h"
#include "transport/local/link/link_memory.h"

namespace opennd::local {

struct Holdings {
    Holdings(const LinkMemory& memory, std::uint32_t connection)
        : slots(memory.frame_pool(), memory.own_frames(), connection), chunk_pool(memory.chunk_pool()) {}

    // Returns the chunks, which the first call makes; null: there is no memory for that now.
    ChunksInFlight* some_chunks() {
        if (!chunks) chunks.reset(new (std::nothrow) ChunksInFlight(chunk_pool));
        return chunks.get();
    }

    bool is_short() const { return slots.is_short() || chunk_pool->is_short(); }

    FrameSlots slots;
    const Ref<ChunkPool> chunk_pool;
    std::unique_ptr<ChunksInFlight> chunks;  // made for the first frame that has one
};

}  // namespace opennd::local

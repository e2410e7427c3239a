// SPDX-License-Identifier: MIT
// The memory of a link as one side has it: both share it, and a part of it is this side's to give to its connections.
#pragma once

#include <cstdint>
#include <memory>
#include <new>
#include <utility>

#include "base/ref.h"
#include "transport/local/arena/arena.h"
#include "transport/local/arena/chunk_pool.h"
#include "transport/local/arena/chunks_in_flight.h"
#include "transport/local/arena/frame_slots.h"

namespace opennd::local {

class LinkMemory final : public RefCounted {
public:
    // `side` as in ArenaLayout; `loop` as ChunkPool has it. Throws std::bad_alloc.
    LinkMemory(EventLoop* loop, Ref<Arena> arena, std::uint32_t side)
        : arena_(std::move(arena)), side_(side), chunk_pool_(make_ref<ChunkPool>(loop, arena_, side)) {}

    const Arena& arena() const { return *arena_; }
    Frames& own_frames() const { return arena_->frames(side_); }
    Frames& peer_frames() const { return arena_->frames(1 - side_); }
    Chunks& peer_chunks() const { return arena_->chunks(1 - side_); }
    const Ref<FramePool>& frame_pool() const { return frame_pool_; }
    const Ref<ChunkPool>& chunk_pool() const { return chunk_pool_; }

private:
    const Ref<Arena> arena_;
    const std::uint32_t side_;
    const Ref<FramePool> frame_pool_ = make_ref<FramePool>();
    const Ref<ChunkPool> chunk_pool_;
};

// The part of it that one lane's producer has: slots for frames, and chunks. All comes back with the object.
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

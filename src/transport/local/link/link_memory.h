// SPDX-License-Identifier: MIT
// The memory of a link as one side has it: what both share, and what of it is this side's to give to its connections.
#pragma once

#include <cstdint>
#include <utility>

#include "base/ref.h"
#include "transport/local/link/arena.h"
#include "transport/local/link/chunk_pool.h"
#include "transport/local/link/frame_slots.h"

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

}  // namespace opennd::local

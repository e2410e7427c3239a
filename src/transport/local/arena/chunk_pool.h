// SPDX-License-Identifier: MIT
// The producer's end of a side's chunks (chunks.h), which the connections of a link share. Its memory follows the payload that is
// on its way: a chunk is taken for one frame and comes back when the peer has consumed that frame.
//
// A connection without a chunk of some kind always gets one, so that each goes on, whatever the others do and whether or not their
// peers consume. The rest is shared: a connection gets no more of it than is free, so that one alone has at most half, and
// many have equal shares.
//
// A connection takes some at a time for the frames to come, and gives some back at a time, so that connections which several threads
// use do not meet here at each frame. What it has counts as its own in all of this. Where there are not plenty of chunks it takes and
// gives each one by itself: what connections have for frames to come makes none of them short.
//
// The lowest chunks, `kept` of a kind, have turns: the one that was used longest ago is out of the caches of both sides, and costs neither of them the
// other's lines. More are used only when these are all taken; their memory goes back to the system once they were not used from one look to the
// next. Looks are taken only as long as there is such memory.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <span>

#include "base/ref.h"
#include "platform/thread/biased_lock.h"
#include "platform/thread/event_loop.h"
#include "transport/local/arena/arena.h"
#include "transport/local/arena/free_numbers.h"

namespace opennd::local {

// Thread-safe.
class ChunkPool final : public RefCounted {
public:
    // Makes the pool of the side's chunks in the arena. `loop` takes the looks; null: the caller does. Throws
    // std::bad_alloc.
    ChunkPool(EventLoop* loop, Ref<Arena> arena, std::uint32_t side);

    // Returns the smallest kind with this payload, which is at most kMostPayload.
    static constexpr std::size_t kind_for(std::uint32_t length) {
        std::size_t kind = 0;
        while (length > kChunkKinds[kind].payload) ++kind;
        return kind;
    }
    // The chunks that a connection has of each kind, those with it for frames to come among them.
    using Counts = std::array<std::uint16_t, kChunkKinds.size()>;
    // Takes chunks for a connection: as many as there is room for, while there are plenty, and one otherwise. Returns their number;
    // 0: it gets none before one of its own comes back.
    std::size_t take(std::size_t kind, Counts& held, std::span<std::uint16_t> room) EXCLUDES(lock_);
    // Gives chunks of a connection back. The peer does not read them any more.
    void give(std::span<const std::uint16_t> chunks, Counts& held) EXCLUDES(lock_);

    // Returns true if more than half of the chunks that have turns are taken, of some kind: a connection without frames
    // on their way then keeps none.
    bool is_short() const { return level_.load(std::memory_order_relaxed) == Level::scarce; }
    // Returns true if at most a quarter of them is taken, of each kind: a connection may have some for frames to come.
    bool has_plenty() const { return level_.load(std::memory_order_relaxed) == Level::plenty; }

    // Takes a look, and returns unused memory to the system. Returns true if another look is due. On the service
    // thread.
    bool return_memory() EXCLUDES(lock_);

    std::byte* memory(std::uint32_t number) const { return own_.find(number, 0); }

private:
    enum class Level : std::uint8_t { plenty, enough, scarce };
    struct Kind {
        FreeNumbers free;
        std::uint32_t taken = 0;
        std::uint32_t next = 0;     // the chunk whose turn it is
        std::uint32_t shared = 0;   // taken by connections that had one already, or while their memory goes back
        std::uint32_t touched = 0;  // numbers from here on have no memory
        std::uint32_t used = 0;     // numbers from here on were not taken since the newest look
    };
    std::optional<std::uint32_t> take_one(std::size_t kind, std::uint32_t held) REQUIRES(lock_);
    void give_one(std::uint32_t chunk, std::uint32_t held) REQUIRES(lock_);
    static bool is_last_of_a_level(std::size_t kind, std::uint32_t taken);
    Level level_of(std::size_t kind) const REQUIRES(lock_);
    void note_level() REQUIRES(lock_);
    void watch() EXCLUDES(lock_);
    bool return_memory_of(std::size_t kind) EXCLUDES(lock_);

    // Constant after construction.
    EventLoop* const loop_;
    const Ref<Arena> arena_;
    Chunks& own_;

    // Written under the lock, rarely, and read at each frame with a chunk: apart from the lock. Relaxed: a reader that is late gives
    // back later.
    std::atomic<Level> level_{Level::plenty};

    alignas(64) BiasedLock lock_;             // nothing is called under it
    bool watched_ GUARDED_BY(lock_) = false;  // a look is due
    std::array<Kind, kChunkKinds.size()> kinds_ GUARDED_BY(lock_);
};

}  // namespace opennd::local

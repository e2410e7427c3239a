// SPDX-License-Identifier: MIT
// The producer's end of a side's chunks (chunks.h), which the connections of a link share. Its memory follows the payload that is
// on its way: a chunk is taken for one frame and comes back when the peer has consumed that frame.
//
// A connection without a chunk of some kind always gets one, so that each goes on, whatever the others do and whether or not their
// peers consume. The rest is shared: a connection gets no more of it than is free, so that one alone has at most half, and
// many have equal shares.
//
// The lowest chunks, `kept` of a kind, have turns: the one that was used longest ago is out of the caches of both sides, and costs neither of them the
// other's lines. More are used only when these are all taken; their memory goes back to the system once they were not used from one look to the
// next. Looks are taken only as long as there is such memory.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>

#include "base/ref.h"
#include "platform/thread/biased_lock.h"
#include "platform/thread/event_loop.h"
#include "transport/local/link/arena.h"
#include "transport/local/link/free_numbers.h"

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
    // Takes a chunk for a connection that has `held` of this kind. Returns nothing if it gets none before one of its
    // own comes back.
    std::optional<std::uint32_t> take(std::size_t kind, std::uint32_t held) EXCLUDES(lock_);
    // Gives a chunk back, of a connection that has `held` of its kind, with this one. The peer does not read it any
    // more.
    void give(std::uint32_t number, std::uint32_t held) EXCLUDES(lock_);

    // Returns true if more than half of the chunks that have turns are taken, of some kind: a connection without frames
    // on their way then keeps none.
    bool is_short() const { return is_short_.load(std::memory_order_relaxed); }

    // Takes a look, and returns unused memory to the system. Returns true if another look is due. On the service
    // thread.
    bool return_memory() EXCLUDES(lock_);

    std::byte* memory(std::uint32_t number) const { return own_.find(number, 0); }

private:
    struct Kind {
        FreeNumbers free;
        std::uint32_t taken = 0;
        std::uint32_t next = 0;     // the chunk whose turn it is
        std::uint32_t shared = 0;   // taken by connections that had one already, or while their memory goes back
        std::uint32_t touched = 0;  // numbers from here on have no memory
        std::uint32_t used = 0;     // numbers from here on were not taken since the newest look
    };
    bool any_is_short() const REQUIRES(lock_);
    void watch() EXCLUDES(lock_);
    bool return_memory_of(std::size_t kind) EXCLUDES(lock_);

    // Constant after construction.
    EventLoop* const loop_;
    const Ref<Arena> arena_;
    Chunks& own_;

    BiasedLock lock_;                         // nothing is called under it
    bool watched_ GUARDED_BY(lock_) = false;  // a look is due
    std::atomic<bool> is_short_{false};       // written under the lock; relaxed: a reader that is late gives back later
    std::array<Kind, kChunkKinds.size()> kinds_ GUARDED_BY(lock_);
};

}  // namespace opennd::local

// SPDX-License-Identifier: MIT
// The producers' end of a side's names (names.h): for the connections of this side, to the crowds of the peer.
#pragma once

#include <array>
#include <cstdint>

#include "base/result.h"
#include "platform/memory/lazy_array.h"
#include "platform/thread/biased_lock.h"
#include "transport/local/arena/names.h"

namespace opennd::local {

// Thread-safe. A peer that stores anything there loses names of its own connections.
class NameWriter {
public:
    // The memory for the newest name of each connection.
    using History = LazyArray<std::uint64_t>;
    // no_memory.
    static Result<History> create_history();
    // `names` are the peer's, and outlive it.
    NameWriter(Names& names, History history);

    // Names a connection that has something for the peer's crowd: a frame, or a count, stored before. Returns true if
    // the peer sleeps; the caller rings it, once for many names.
    [[nodiscard]] bool name(std::uint32_t number, std::uint32_t crowd);
    // Notes that the caller could not ring: the next name rings.
    void could_not_ring(std::uint32_t crowd);
    // Returns true if a thread polls the crowd, or will.
    bool is_polled(std::uint32_t crowd) const;
    // Returns true if a thread polls something there, or did and may have stopped.
    bool is_polled() const;

private:
    struct End {
        BiasedLock lock;  // nothing is called under it
        std::uint64_t given GUARDED_BY(lock) = 0;
        std::uint64_t taken GUARDED_BY(lock) = 0;  // as far as this side has read
        // The position of the newest name of each connection, + 1; 0: none yet.
        std::uint64_t* newest GUARDED_BY(lock) = nullptr;
    };
    static void add(End& end, Names::Crowd& crowd, Names::Ring& ring, std::uint32_t number) REQUIRES(end.lock);

    Names& names_;
    const History history_;  // of all ends
    std::array<End, kCrowds> ends_;
};

}  // namespace opennd::local

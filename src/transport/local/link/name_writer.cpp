// SPDX-License-Identifier: MIT
// NameWriter: see name_writer.h.
#include "transport/local/link/name_writer.h"

#include <new>
#include <utility>

#include "platform/thread/asymmetric_barrier.h"

namespace opennd::local {

Result<NameWriter::History> NameWriter::create_history() {
    try {
        return lazily_committed<std::uint64_t>(kCrowds * std::size_t{kConnections});
    } catch (const std::bad_alloc&) {
        return Status::no_memory;
    }
}

NameWriter::NameWriter(Names& names, History history) : names_(names), history_(std::move(history)) {
    for (std::uint32_t crowd = 0; crowd < kCrowds; ++crowd) {
        const Held lock(ends_[crowd].lock);
        ends_[crowd].newest = &history_[std::size_t{crowd} * kConnections];
    }
}

// A name that is not taken stands for later frames, too: either its taker sees them, or this side sees that the name is taken.
void NameWriter::add(End& end, Names::Crowd& crowd, Names::Ring& ring, std::uint32_t number) {
    std::uint64_t& newest = end.newest[number];
    if (newest > end.taken) {
        full_barrier();
        end.taken = crowd.taken.load(std::memory_order_acquire);
        if (newest > end.taken) return;
    }
    ring.names[end.given % kConnections].store(Names::name(number, end.given), std::memory_order_release);
    newest = ++end.given;
}

bool NameWriter::name(std::uint32_t number, std::uint32_t crowd) {
    Names::Crowd& there = names_.crowds[crowd];
    {
        End& end = ends_[crowd];
        const Held lock(end.lock);
        add(end, there, names_.rings[crowd], number);
    }
    light_barrier();  // as PeerBell::ring()
    if (there.attention.load(std::memory_order_relaxed) == kPolling) return false;
    full_barrier();
    std::uint32_t asleep = kAsleep;
    return there.attention.load(std::memory_order_relaxed) == kAsleep &&
           there.attention.compare_exchange_strong(asleep, kAsleepRung);
}

void NameWriter::could_not_ring(std::uint32_t crowd) {
    std::uint32_t rung = kAsleepRung;
    names_.crowds[crowd].attention.compare_exchange_strong(rung, kAsleep);
}

bool NameWriter::is_polled(std::uint32_t crowd) const {
    return names_.crowds[crowd].attention.load(std::memory_order_acquire) < kAsleep;
}

bool NameWriter::is_polled() const {
    bool polled = names_.polled.load(std::memory_order_acquire) != 0;
    for (std::uint32_t crowd = 0; crowd < kCrowds; ++crowd) polled |= is_polled(crowd);
    return polled;
}

}  // namespace opennd::local

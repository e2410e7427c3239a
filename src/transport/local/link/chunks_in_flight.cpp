// SPDX-License-Identifier: MIT
// ChunksInFlight: see chunks_in_flight.h.
#include "transport/local/link/chunks_in_flight.h"

#include <utility>

namespace opennd::local {

ChunksInFlight::~ChunksInFlight() {
    if (reserved_ != kNone) give(reserved_);
    for (; oldest_ != end_; ++oldest_) give(at(oldest_).chunk);
}

void ChunksInFlight::give(std::uint32_t chunk) { pool_->give(chunk, held_[Chunks::kind_of(chunk)]--); }

std::byte* ChunksInFlight::reserve(std::uint32_t length) {
    const std::size_t kind = ChunkPool::kind_for(length);
    if (reserved_ != kNone && Chunks::kind_of(reserved_) != kind) give(std::exchange(reserved_, kNone));
    if (reserved_ == kNone) {
        const auto taken = pool_->take(kind, held_[kind]);
        if (!taken) return nullptr;
        ++held_[kind];
        reserved_ = *taken;
    }
    return pool_->memory(reserved_);
}

std::uint16_t ChunksInFlight::keep(std::uint32_t frame, bool answer) {
    const auto chunk = static_cast<std::uint16_t>(std::exchange(reserved_, kNone));
    at(end_++) = {frame, chunk, answer};
    return chunk;
}

void ChunksInFlight::return_consumed(std::uint32_t frame) {
    const auto is_before = [&](const Entry& entry) { return static_cast<std::int32_t>(entry.frame - frame) < 0; };
    for (; oldest_ != end_ && is_before(at(oldest_)); ++oldest_) give(at(oldest_).chunk);
}

void ChunksInFlight::return_withdrawn() {
    std::uint32_t kept = oldest_;
    for (std::uint32_t place = oldest_; place != end_; ++place) {
        const Entry entry = at(place);
        if (entry.answer)
            at(kept++) = entry;
        else
            give(entry.chunk);
    }
    end_ = kept;
}

}  // namespace opennd::local

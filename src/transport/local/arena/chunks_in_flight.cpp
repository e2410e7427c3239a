// SPDX-License-Identifier: MIT
// ChunksInFlight: see chunks_in_flight.h.
#include "transport/local/arena/chunks_in_flight.h"

#include <algorithm>

namespace opennd::local {

ChunksInFlight::~ChunksInFlight() {
    return_unused();
    for (; oldest_ != end_; ++oldest_) pool_->give({&at(oldest_).chunk, 1}, held_);
}

std::byte* ChunksInFlight::reserve(std::uint32_t length) {
    reserved_ = ChunkPool::kind_for(length);
    Stock& stock = stock_[reserved_];
    if (stock.count == 0) {
        stock.count = static_cast<std::uint8_t>(pool_->take(reserved_, held_, stock.chunks));
        if (stock.count == 0) return nullptr;
        std::reverse(stock.chunks.begin(), stock.chunks.begin() + stock.count);  // their turns
    }
    return pool_->memory(stock.chunks[stock.count - 1u]);
}

std::uint16_t ChunksInFlight::keep(std::uint32_t frame, bool answer) {
    Stock& stock = stock_[reserved_];
    const std::uint16_t chunk = stock.chunks[--stock.count];
    at(end_++) = {frame, chunk, answer};
    return chunk;
}

void ChunksInFlight::return_consumed(std::uint32_t frame) {
    std::array<std::uint16_t, kFrames> consumed;
    std::size_t count = 0;
    for (; oldest_ != end_ && is_before(at(oldest_), frame); ++oldest_) consumed[count++] = at(oldest_).chunk;
    if (count != 0) pool_->give({consumed.data(), count}, held_);
}

void ChunksInFlight::return_withdrawn() {
    std::uint32_t kept = oldest_;
    for (std::uint32_t place = oldest_; place != end_; ++place) {
        const Entry entry = at(place);
        if (entry.answer)
            at(kept++) = entry;
        else
            pool_->give({&entry.chunk, 1}, held_);
    }
    end_ = kept;
}

void ChunksInFlight::return_unused() {
    for (Stock& stock : stock_) {
        if (stock.count != 0) pool_->give({stock.chunks.data(), stock.count}, held_);
        stock.count = 0;
    }
}

}  // namespace opennd::local

// SPDX-License-Identifier: MIT
// LaneAttention: see lane_attention.h.
#include "transport/local/lane_attention.h"

#include <utility>

#include "platform/thread/asymmetric_barrier.h"
#include "transport/local/arena/names.h"
#include "transport/local/link/link_source.h"

namespace opennd::local {

soft::Attention LaneAttention::set_attention(soft::Attention attention) {
    // The peer must always order its stores where there is no asymmetric barrier.
    if (attention == soft::Attention::polling && !lanes_.parts().asymmetric) attention = soft::Attention::awake;
    const Held lock(wish_lock_);
    const soft::Attention before = attention_.load(std::memory_order_relaxed);
    attention_.store(attention, std::memory_order_relaxed);
    if (attention != soft::Attention::polling) followed_ = false;
    say_wish();
    return before;
}

// Writes the wishes of this side into the lane. A connection that is followed says `polling`, like one outside crowds
// with a poller. The link counts a connection as polled only outside crowds: in crowds, the pollers of the crowds
// count.
void LaneAttention::say_wish() {
    const soft::Attention attention = attention_.load(std::memory_order_relaxed);
    const std::uint32_t word = followed_ ? kPolling : LaneWish::with(static_cast<std::uint32_t>(attention), crowds_);
    lanes_.in().wishes.attention.store(word, std::memory_order_relaxed);
    const bool polled = crowds_ == 0 && attention != soft::Attention::asleep;
    if (polled == counts_as_polled_ || !link_end()) return;
    counts_as_polled_ = polled;
    link_end()->count_polled(polled);
}

bool LaneAttention::join(soft::Crowd& crowd, soft::Place place) {
    LinkSource* const source = link_end() ? link_end()->join(crowd, place, lanes_.parts().asymmetric) : nullptr;
    if (!source) return false;
    {
        const Held lock(wish_lock_);
        crowds_ |= source->bit();
        followed_ = false;
        say_wish();
    }
    // A peer that saw the word of before may have stored something: the source names the place for that.
    if (attention() == soft::Attention::polling)
        heavy_barrier();
    else
        full_barrier();
    return true;
}

void LaneAttention::leave(soft::Crowd& crowd) {
    LinkSource* const source = link_end() ? link_end()->source_in(crowd) : nullptr;
    if (!source) return;
    {
        const Held lock(wish_lock_);
        crowds_ &= ~source->bit();
        followed_ = false;
        say_wish();
    }
    link_end()->leave(crowd, *source);
}

bool LaneAttention::follow(bool closely) {
    if (closely && !lanes_.parts().asymmetric) return false;
    const Held lock(wish_lock_);
    if (closely && attention() != soft::Attention::polling) return false;
    followed_ = closely;
    say_wish();
    return true;
}

void LaneAttention::stop_counting() {
    const Held lock(wish_lock_);
    if (std::exchange(counts_as_polled_, false)) link_end()->count_polled(false);
}

void LaneAttention::read_counters() {
    LaneState& lanes = lanes_;  // in a register: the atomics' stores would have it read again
    lanes.producer().refresh();
    lanes.give_back_surplus();
}

void LaneAttention::describe_connection(QueuePairUse& use) const {
    use.traffic = lanes_.traffic().read();
    use.path = lanes_.bulk_path();
}

}  // namespace opennd::local

// SPDX-License-Identifier: MIT
// RingChannel: the wishes of this side, and the wake-ups that the peer wishes (tests/protocols/attention.pml, names.pml).
#include "platform/thread/asymmetric_barrier.h"
#include "transport/local/ring_channel.h"

namespace opennd::local {
namespace {

// The times that the word of a sleeping peer may change while it is being rung: an honest one changes it once or twice.
constexpr int kChangesOfWish = 8;

}  // namespace

// ---- this side's

soft::Attention RingChannel::set_attention(soft::Attention attention) {
    // The peer must always order its stores where there is no asymmetric barrier.
    if (attention == soft::Attention::polling && !parts_.asymmetric) attention = soft::Attention::awake;
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
void RingChannel::say_wish() {
    const soft::Attention attention = attention_.load(std::memory_order_relaxed);
    const std::uint32_t word = followed_ ? kPolling : LaneWish::with(static_cast<std::uint32_t>(attention), crowds_);
    in_.wishes.attention.store(word, std::memory_order_relaxed);
    const bool polled = crowds_ == 0 && attention != soft::Attention::asleep;
    if (polled == counts_as_polled_ || !parts_.line) return;
    counts_as_polled_ = polled;
    parts_.line->count_polled(polled);
}

bool RingChannel::join(soft::Crowd& crowd, soft::Place place) {
    LinkSource* const source = parts_.line ? parts_.line->join(crowd, place, parts_.asymmetric) : nullptr;
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

void RingChannel::leave(soft::Crowd& crowd) {
    LinkSource* const source = parts_.line ? parts_.line->source_in(crowd) : nullptr;
    if (!source) return;
    {
        const Held lock(wish_lock_);
        crowds_ &= ~source->bit();
        followed_ = false;
        say_wish();
    }
    parts_.line->leave(crowd, *source);
}

bool RingChannel::follow(bool closely) {
    if (closely && !parts_.asymmetric) return false;
    const Held lock(wish_lock_);
    if (closely && attention() != soft::Attention::polling) return false;
    followed_ = closely;
    say_wish();
    return true;
}

// ---- the peer's

void RingChannel::wake_waiting_peer(std::uint32_t wish) {
    if (LaneWish::attention(wish) != kPolling) {
        full_barrier();
        wish = out_.wishes.attention.load(std::memory_order_relaxed);
    }
    if (parts_.line && LaneWish::crowds(wish) != 0) parts_.line->name(LaneWish::crowds(wish));
    if (LaneWish::attention(wish) == kAsleep) ring_sleeping_peer(wish);
}

void RingChannel::ring_sleeping_peer(std::uint32_t wish) {
    const auto rung = [](std::uint32_t asleep) { return asleep - kAsleep + kAsleepRung; };
    for (int changes = 0; !out_.wishes.attention.compare_exchange_strong(wish, rung(wish)); ++changes) {
        if (changes == kChangesOfWish) return;
        if (parts_.line && LaneWish::crowds(wish) != 0) parts_.line->name(LaneWish::crowds(wish));
        if (LaneWish::attention(wish) != kAsleep) return;
    }
    if (!parts_.line || parts_.line->wake()) return;
    std::uint32_t told = rung(wish);  // the wake-up failed: the next call tries again
    out_.wishes.attention.compare_exchange_strong(told, wish);
}

bool RingChannel::peer_sleeps() const {
    const std::uint32_t wish = out_.wishes.attention.load(std::memory_order_relaxed);
    if (LaneWish::attention(wish) >= kAsleep) return true;
    const std::uint32_t crowds = LaneWish::crowds(wish);
    return crowds != 0 && parts_.line && parts_.line->all_sleep(crowds);
}

void RingChannel::nudge() {
    if (!parts_.line || LaneWish::attention(out_.wishes.attention.load(std::memory_order_relaxed)) == kAsleepRung)
        return;
    (void)parts_.line->wake_again();
}

}  // namespace opennd::local

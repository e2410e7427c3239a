// SPDX-License-Identifier: MIT
// PeerBell: see peer_bell.h.
#include "transport/local/peer_bell.h"

#include "transport/local/arena/names.h"

namespace opennd::local {
namespace {

// The times that the word of a sleeping peer may change while it is being rung: an honest one changes it once or twice.
constexpr int kChangesOfWish = 8;

}  // namespace

void PeerBell::ring_waiting(std::uint32_t wish) {
    if (LaneWish::attention(wish) != kPolling) {
        full_barrier();
        wish = out_.wishes.attention.load(std::memory_order_relaxed);
    }
    if (link_end_ && LaneWish::crowds(wish) != 0) link_end_->name(LaneWish::crowds(wish));
    if (LaneWish::attention(wish) == kAsleep) ring_sleeping(wish);
}

void PeerBell::ring_sleeping(std::uint32_t wish) {
    const auto rung = [](std::uint32_t asleep) { return asleep - kAsleep + kAsleepRung; };
    for (int changes = 0; !out_.wishes.attention.compare_exchange_strong(wish, rung(wish)); ++changes) {
        if (changes == kChangesOfWish) return;
        if (link_end_ && LaneWish::crowds(wish) != 0) link_end_->name(LaneWish::crowds(wish));
        if (LaneWish::attention(wish) != kAsleep) return;
    }
    if (!link_end_ || link_end_->wake()) return;
    std::uint32_t told = rung(wish);  // the wake-up failed: the next call tries again
    out_.wishes.attention.compare_exchange_strong(told, wish);
}

void PeerBell::ring_again() {
    if (!link_end_ || LaneWish::attention(out_.wishes.attention.load(std::memory_order_relaxed)) == kAsleepRung) return;
    (void)link_end_->wake_again();
}

bool PeerBell::peer_sleeps() const {
    const std::uint32_t wish = out_.wishes.attention.load(std::memory_order_relaxed);
    if (LaneWish::attention(wish) >= kAsleep) return true;
    const std::uint32_t crowds = LaneWish::crowds(wish);
    return crowds != 0 && link_end_ && link_end_->all_sleep(crowds);
}

}  // namespace opennd::local

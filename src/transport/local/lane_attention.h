// SPDX-License-Identifier: MIT
// The attention of a ring channel: what this side wishes to be told of, written into the lane where the peer reads it, and what this
// side can see of the peer's progress. The peer is woken by peer_bell.h. Read transport/soft/channel/peer_attention.h first.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/lock.h"
#include "transport/local/lane_state.h"
#include "transport/soft/channel/peer_attention.h"

namespace opennd::local {

class LaneAttention final : public soft::PeerAttention {
public:
    explicit LaneAttention(LaneState& lanes) : lanes_(lanes) {}

    soft::Attention attention() const override { return attention_.load(std::memory_order_relaxed); }
    soft::Attention set_attention(soft::Attention attention) override EXCLUDES(wish_lock_);
    void nudge() override { lanes_.bell().ring_again(); }
    bool relies_on_peers_pollers() const override { return !lanes_.bell().peer_sleeps(); }
    // Called once a run: a look at each result would cost more.
    void read_counters() override;
    bool has_outcome() const override { return lanes_.producer().has_news(); }
    [[nodiscard]] bool join(soft::Crowd& crowd, soft::Place place) override EXCLUDES(wish_lock_);
    void leave(soft::Crowd& crowd) override EXCLUDES(wish_lock_);
    [[nodiscard]] bool follow(bool closely) override EXCLUDES(wish_lock_);
    void describe_connection(QueuePairUse& use) const override;

    // The link counts the connection as polled no more. Called at its end.
    void stop_counting() EXCLUDES(wish_lock_);

private:
    LinkEnd* link_end() const { return lanes_.parts().link_end.get(); }
    void say_wish() REQUIRES(wish_lock_);

    LaneState& lanes_;

    // The wishes of this side: the lane's word, in memory that no peer writes.
    SpinLock wish_lock_;  // nothing is called under it, but for LinkEnd::count_polled()
    std::atomic<soft::Attention> attention_{
        soft::Attention::asleep};                           // written under wish_lock_. Relaxed: callers order it
    std::uint32_t crowds_ GUARDED_BY(wish_lock_) = 0;       // as in LaneWish
    bool followed_ GUARDED_BY(wish_lock_) = false;          // by the poller of the only crowd
    bool counts_as_polled_ GUARDED_BY(wish_lock_) = false;  // LinkEnd::count_polled()
};

}  // namespace opennd::local

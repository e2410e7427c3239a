// SPDX-License-Identifier: MIT
// The peer of a ring channel in memory of this side: its accesses that are in progress, and how it is kept out of requests that are
// flushed (tests/protocols/taking_back.pml, deregistration.pml). Read transport/soft/channel/peer_access.h first.
#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>

#include "platform/process/clock.h"
#include "transport/local/lane_state.h"
#include "transport/soft/channel/peer_access.h"

namespace opennd::local {

class LaneAccess final : public soft::PeerAccess {
public:
    explicit LaneAccess(LaneState& lanes) : lanes_(lanes) {}

    bool peer_accesses(Token token) const override;
    [[nodiscard]] bool exclude_peer() override;
    void distrust_peer() override { distrusted_.store(true, std::memory_order_relaxed); }
    [[nodiscard]] bool stop_requests() override;
    void show_as_taken_back() override;

    // Notes that the peer is gone, or reported its end: none of its accesses is in progress any more.
    void end_peer() { peer_ended_.store(true, std::memory_order_release); }
    bool has_peer_ended() const { return peer_ended_.load(std::memory_order_acquire); }

private:
    [[nodiscard]] bool stop_requests_here();
    // Returns true if the peer is in the middle of taking frames, or claims it.
    bool peer_takes() const;
    // Lets the peer place no message into a receive of this side from now on. Returns true if it is not in the middle
    // of one.
    [[nodiscard]] bool close_receives();
    [[gnu::cold]] void give_up_waiting(std::string_view operation);
    // Returns true if none of the peer's accesses is in progress, or if its marks do not count any more.
    bool is_past_waiting() const { return has_peer_ended() || distrusted_.load(std::memory_order_relaxed); }

    LaneState& lanes_;

    // The state of requests that are flushed: out of the peer's sight. Under the queue pair's lock.
    enum class Holding : std::uint8_t { nothing, hidden, rest, ended };
    Holding holding_ = Holding::nothing;
    SteadyTime taken_by_{};  // while hidden: after this the peer's mark does not count
    bool receives_closed_ = false;
    SteadyTime placed_by_{};  // while receives are closed: likewise

    std::atomic<bool> peer_ended_{false};
    std::atomic<bool> distrusted_{false};  // relaxed: it is read again and again, and publishes nothing else
};

}  // namespace opennd::local

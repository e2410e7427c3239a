// SPDX-License-Identifier: MIT
// The requests that leave over a ring channel: a Send travels through the lane, or the peer fetches it from this side's memory; a Read or
// Write is carried out here, or travels as frames where this side cannot reach the peer's memory.
#pragma once

#include <atomic>
#include <cstdint>
#include <set>

#include "base/lock.h"
#include "transport/local/direct_copy.h"
#include "transport/local/lane_state.h"
#include "transport/soft/channel/channel.h"

namespace opennd::local {

// Owned by the thread in start(), but where a function says otherwise.
class Outbound {
public:
    explicit Outbound(LaneState& lanes) : lanes_(lanes), copies_(lanes) {}

    // Channel explains these seven. Three get the lanes, which are at a known distance for the channel: a load less.
    soft::StartResult start(LaneState& lanes, const soft::OutboundRequest& request);
    soft::StartResult start_with_immediate(const soft::OutboundRequest& request, std::uint32_t immediate);
    soft::StartResult start_unlocked(const soft::OutboundRequest& request);
    [[nodiscard]] bool abandon_start() { return copies_.abandon(); }
    bool carry_out(LaneState& lanes, const soft::OutboundRequest& request);
    bool find_outcome(LaneState& lanes, soft::Ticket ticket, Status& status);
    Status unfinished() const;

    // Returns true if a message was offered to the peer out of this segment of this side's memory. Any thread.
    bool offered(std::uint32_t segment) EXCLUDES(offers_mutex_);

private:
    // It needs the lanes alone, and is inlined into start(): a register less.
    static soft::StartResult start_short_send(LaneState& lanes, const soft::OutboundRequest& request);
    [[gnu::noinline]] soft::StartResult start_longer(const soft::OutboundRequest& request);
    [[gnu::noinline]] soft::StartResult start_long_send(const soft::OutboundRequest& request);
    soft::StartResult start_pull(const soft::OutboundRequest& request);
    soft::StartResult start_one_sided(const soft::OutboundRequest& request);
    soft::StartResult start_another_way(const soft::OutboundRequest& request, bool may_be_apart);
    soft::StartResult send_with_immediate(const soft::OutboundRequest& request, std::uint32_t immediate);
    soft::StartResult write_with_immediate(const soft::OutboundRequest& request, std::uint32_t immediate);
    [[gnu::noinline]] soft::StartResult stream(const soft::OutboundRequest& request, FrameKind kind,
                                               std::uint32_t token);
    soft::StartResult place(const soft::OutboundRequest& request);
    soft::StartResult ask_to_read(const soft::OutboundRequest& request);
    soft::StartResult by_frames(const soft::OutboundRequest& request);
    [[gnu::noinline]] bool carry_out_after_reading_counters(const soft::OutboundRequest& request);
    bool worth_pulling(const soft::OutboundRequest& request);
    bool may_offer(std::uint32_t segment) EXCLUDES(offers_mutex_);
    void note_offer(std::uint32_t segment) EXCLUDES(offers_mutex_);
    void explain_cancellation();

    LaneState& lanes_;
    DirectCopy copies_;

    std::uint32_t streamed_ = 0;  // bytes of the current request already on their way
    bool written_ = false;        // those of the current Write with immediate data are placed, or all on their way
    std::uint32_t offered_last_ = 0;
    std::atomic<bool> explained_cancellation_{false};  // relaxed: whichever thread sees it first tells it

    Mutex offers_mutex_;  // nothing is called under it
    std::set<std::uint32_t> offers_ GUARDED_BY(offers_mutex_);
};

}  // namespace opennd::local

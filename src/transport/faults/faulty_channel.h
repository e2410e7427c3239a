// SPDX-License-Identifier: MIT
// A channel with faults: where a rule strikes, a request ends as if the peer or the wire had failed it, and the peer sees nothing of it;
// or it leaves late, or its result comes late.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>

#include "base/lock.h"
#include "transport/faults/faults.h"
#include "transport/faults/late_results.h"
#include "transport/soft/channel/layered_channel.h"
#include "transport/soft/queue_pair/connection_end.h"

namespace opennd::faults {

class FaultyChannel final : public soft::LayeredChannel {
public:
    // `faults` outlives it. `end`: of its connection; null: a peer that dies is a wire that is lost.
    FaultyChannel(Ref<soft::Channel> inner, Ref<soft::ConnectionEnd> end, Faults& faults);
    ~FaultyChannel() override;

    soft::StartResult start(const soft::OutboundRequest& request) override;
    soft::StartResult start_with_immediate(const soft::OutboundRequest& request, std::uint32_t immediate) override;
    soft::StartResult start_unlocked(const soft::OutboundRequest& request) override;
    bool find_outcome(soft::Ticket ticket, Status& status) override;
    // A flush tells all results.
    bool stop_requests() override;
    void show_as_taken_back() override;
    std::size_t receive(soft::ReceiveTurn& turn, std::size_t budget) override;
    bool decline(soft::ReceiveTurn& turn) override;
    void close() override EXCLUDES(end_mutex_);
    void on_peers_end() override EXCLUDES(end_mutex_);

    // Any thread.

    // Returns true if the connection has not ended, and its peer is not lost.
    bool is_up() const EXCLUDES(end_mutex_);
    // Loses the peer: nothing starts from here on. Returns the end, which the caller tells; null if is_up() was false.
    Ref<soft::ConnectionEnd> lose_peer() EXCLUDES(end_mutex_);

private:
    bool is_delayed();
    void show_own_work() EXCLUDES(shown_mutex_);
    void forget_end() EXCLUDES(end_mutex_);
    template <typename Start>
    soft::StartResult start_by(const soft::OutboundRequest& request, Start start);
    soft::StartResult finish(const soft::StartResult& result);
    soft::StartResult end_by(const Kind& kind, const soft::OutboundRequest& request);
    bool is_lost() const { return lost_.load(std::memory_order_relaxed); }
    bool is_without_peer() const { return without_peer_.load(std::memory_order_relaxed); }

    Faults& faults_;

    // The faults of the request at hand; none: it has had no event. Owned by the thread in start(), or in show_as_taken_back().
    std::optional<Blow> blow_;
    // The moment until which the request at hand is delayed; kNotDelayed: it is not. Written as blow_ is; relaxed: a
    // reader that is late looks once too often.
    std::atomic<SteadyTime> due_{kNotDelayed};
    static constexpr SteadyTime kNotDelayed = SteadyTime::min();

    LateResults late_;

    // Relaxed: a reader that is late sees it at its next look.
    std::atomic<bool> lost_{false};          // by wire:reset
    std::atomic<bool> without_peer_{false};  // by peer:dies
    bool deaf_ = false;  // without a peer, and earlier arrivals were taken. Under the queue pair's lock

    // Held from the look at the work until it shows: of two threads that changed it, the later one shows what both did.
    Mutex shown_mutex_;  // only LateResults is asked under it

    mutable Mutex end_mutex_;                              // nothing is called under it
    Ref<soft::ConnectionEnd> end_ GUARDED_BY(end_mutex_);  // until the connection ends
};

}  // namespace opennd::faults

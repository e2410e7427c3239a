// SPDX-License-Identifier: MIT
// A channel with faults: where a rule strikes, a request ends as if the peer or the wire had failed it, and the peer sees nothing of it.
#pragma once

#include <atomic>

#include "transport/faults/faults.h"
#include "transport/soft/channel/layered_channel.h"

namespace opennd::faults {

class FaultyChannel final : public soft::LayeredChannel {
public:
    // `faults` outlives it.
    FaultyChannel(Ref<soft::Channel> inner, Faults& faults) : LayeredChannel(std::move(inner)), faults_(faults) {}

    soft::StartResult start(const soft::OutboundRequest& request) override;
    soft::StartResult start_apart(const soft::OutboundRequest& request) override;
    std::size_t receive(soft::ReceiveTurn& turn, std::size_t budget) override;
    // Once it is lost nobody else brings the queue pair to look at it.
    bool watches_itself() const override { return !is_lost() && inner_->watches_itself(); }
    bool broken() const override { return is_lost() || inner_->broken(); }

private:
    soft::StartResult end_by(const Kind& kind, const soft::OutboundRequest& request);
    bool is_lost() const { return lost_.load(std::memory_order_relaxed); }

    Faults& faults_;
    bool begun_ = false;             // owned by the thread in start(): the request has had its event
    std::atomic<bool> lost_{false};  // by wire:reset; relaxed: a reader that is late sees it at its next look
};

}  // namespace opennd::faults

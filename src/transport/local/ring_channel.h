// SPDX-License-Identifier: MIT
// A channel over two lanes of shared memory. Sends travel through the lane, or the peer fetches them from this side's memory.
// Reads and Writes are carried out here, after a check of the peer's token table; they travel as frames only where this side
// cannot reach the peer's memory. Four parts stand on the state of the lanes: LaneAttention and LaneAccess know the peer, Outbound the
// requests that leave, Inbound the frames that arrive. Read arena/segment.h and transport/soft/channel/channel.h first, then lane_state.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "model/provider_code.h"
#include "transport/local/inbound.h"
#include "transport/local/lane_access.h"
#include "transport/local/lane_attention.h"
#include "transport/local/lane_state.h"
#include "transport/local/outbound.h"

namespace opennd::local {

// The parts that soft::Channel refers to: a base of the ring channel, so that they exist before it. They use the lanes no earlier than
// the channel is used.
class LanePeer {
protected:
    explicit LanePeer(LaneState& lanes) : attention_(lanes), peer_access_(lanes) {}

    LaneAttention attention_;
    LaneAccess peer_access_;
};

class RingChannel final : private LanePeer, public LaneState {
public:
    explicit RingChannel(Parts parts);
    ~RingChannel() override;

    soft::StartResult start(const soft::OutboundRequest& request) override { return outbound_.start(*this, request); }
    soft::StartResult start_with_immediate(const soft::OutboundRequest& request, std::uint32_t immediate) override {
        return outbound_.start_with_immediate(request, immediate);
    }
    soft::StartResult start_unlocked(const soft::OutboundRequest& request) override {
        return outbound_.start_unlocked(request);
    }
    [[nodiscard]] bool abandon_start() override { return outbound_.abandon_start(); }
    bool carry_out(const soft::OutboundRequest& request) override { return outbound_.carry_out(*this, request); }
    std::size_t receive(soft::ReceiveTurn& turn, std::size_t budget) override {
        return inbound_.receive(*this, turn, budget);
    }
    bool find_outcome(soft::Ticket ticket, Status& status) override {
        return outbound_.find_outcome(*this, ticket, status);
    }
    Status unfinished() const override { return outbound_.unfinished(); }
    std::uint32_t failure_code(Operation, Status status) const override {
        return provider_code(ProviderWire::shared_memory, static_cast<std::uint32_t>(status));
    }
    void refuse(Status reason) override { inbound_.refuse(reason); }

    // Returns true if a message was offered to the peer out of this segment of this side's memory. Any thread.
    bool offered(std::uint32_t segment) { return outbound_.offered(segment); }
    // Notes that the peer is gone, or reported its end: none of its accesses is in progress any more, and this side begins
    // none.
    void end_peer();

private:
    Outbound outbound_;
    Inbound inbound_;
};

}  // namespace opennd::local

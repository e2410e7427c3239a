// SPDX-License-Identifier: MIT
// A channel around another one, which does the work: each function hands its call on. Layers override those that they see or change.
#pragma once

#include <utility>

#include "transport/soft/channel/channel.h"
#include "transport/soft/channel/channel_layer.h"

namespace opennd::soft {

class LayeredChannel : public Channel, public PeerAccess, public ConnectionTap {
public:
    StartResult start(const OutboundRequest& request) override { return inner_->start(request); }
    StartResult start_with_immediate(const OutboundRequest& request, std::uint32_t immediate) override {
        return inner_->start_with_immediate(request, immediate);
    }
    bool carries_immediate() const override { return inner_->carries_immediate(); }
    StartResult start_unlocked(const OutboundRequest& request) override { return inner_->start_unlocked(request); }
    bool abandon_start() override { return inner_->abandon_start(); }
    // Leaves requests to start(), where the layer sees them in order.
    bool carry_out(const OutboundRequest&) override { return false; }
    std::size_t receive(ReceiveTurn& turn, std::size_t budget) override {
        const std::size_t moved = inner_->receive(turn, budget);
        show_as(*inner_);
        return moved;
    }
    bool find_outcome(Ticket ticket, Status& status) override { return inner_->find_outcome(ticket, status); }
    Status unfinished() const override { return inner_->unfinished(); }
    std::uint32_t failure_code(Operation operation, Status status) const override {
        return inner_->failure_code(operation, status);
    }
    void refuse(Status reason) override { inner_->refuse(reason); }
    bool decline(ReceiveTurn& turn) override {
        const bool declined = inner_->decline(turn);
        show_as(*inner_);
        return declined;
    }
    void close() override { inner_->close(); }

    bool peer_accesses(Token token) const override { return inner_->access().peer_accesses(token); }
    bool exclude_peer() override { return inner_->access().exclude_peer(); }
    void distrust_peer() override { inner_->access().distrust_peer(); }
    bool stop_requests() override {
        const bool held = inner_->access().stop_requests();
        show_as(*inner_);
        return held;
    }
    void show_as_taken_back() override { inner_->access().show_as_taken_back(); }

    void on_received(std::span<const Sge> sges, const Completion& completion) override {
        if (ConnectionTap* const tap = inner_->facts().tap) tap->on_received(sges, completion);
    }
    void on_tapped(std::uint32_t reads_in_flight) override {
        if (ConnectionTap* const tap = inner_->facts().tap) tap->on_tapped(reads_in_flight);
    }
    void on_peers_end() override {
        if (ConnectionTap* const tap = inner_->facts().tap) tap->on_peers_end();
    }

protected:
    explicit LayeredChannel(Ref<Channel> inner)
        : Channel(inner->peer(), *this, {.over_socket = inner->facts().over_socket, .tap = this}),
          inner_(std::move(inner)) {
        show_as(*inner_);
    }

    const Ref<Channel> inner_;
};

}  // namespace opennd::soft

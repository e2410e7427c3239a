// SPDX-License-Identifier: MIT
// A channel around another one, which does the work: each function hands its call on. Layers override those that they see or change.
#pragma once

#include <utility>

#include "transport/soft/channel/channel.h"

namespace opennd::soft {

class LayeredChannel : public Channel {
public:
    StartResult start(const OutboundRequest& request) override { return inner_->start(request); }
    StartResult start_apart(const OutboundRequest& request) override { return inner_->start_apart(request); }
    bool abandon_start() override { return inner_->abandon_start(); }
    // start() carries them out as well, where the layer sees them in order.
    bool carry_out(const OutboundRequest&) override { return false; }
    bool watches_itself() const override { return inner_->watches_itself(); }
    bool receive_waits_for_peer() const override { return inner_->receive_waits_for_peer(); }
    bool find_outcome(Ticket ticket, Status& status) override { return inner_->find_outcome(ticket, status); }
    void read_peer_counters() override { inner_->read_peer_counters(); }
    bool hold_back() override {
        const bool held = inner_->hold_back();
        show_as(*inner_);
        return held;
    }
    void withdraw() override { inner_->withdraw(); }
    Status unfinished() const override { return inner_->unfinished(); }
    std::uint32_t failure_code(Operation operation, Status status) const override {
        return inner_->failure_code(operation, status);
    }
    std::size_t receive(ReceiveTurn& turn, std::size_t budget) override {
        const std::size_t moved = inner_->receive(turn, budget);
        show_as(*inner_);
        return moved;
    }
    void refuse(Status reason) override { inner_->refuse(reason); }
    bool broken() const override { return inner_->broken(); }
    bool decline(ReceiveTurn& turn) override {
        const bool declined = inner_->decline(turn);
        show_as(*inner_);
        return declined;
    }
    Traffic traffic() const override { return inner_->traffic(); }
    std::optional<StreamUse> stream_use() const override { return inner_->stream_use(); }
    bool has_outcome() const override { return inner_->has_outcome(); }
    bool join(Crowd& crowd, Place place) override { return inner_->join(crowd, place); }
    void leave(Crowd& crowd) override { inner_->leave(crowd); }
    bool follow(bool closely) override { return inner_->follow(closely); }
    bool left_work() const override { return inner_->left_work(); }
    Attention attention() const override { return inner_->attention(); }
    Attention set_attention(Attention attention) override { return inner_->set_attention(attention); }
    void nudge() override { inner_->nudge(); }
    bool relies_on_peers_pollers() const override { return inner_->relies_on_peers_pollers(); }
    bool peer_accesses(Token token) const override { return inner_->peer_accesses(token); }
    bool exclude_peer() override { return inner_->exclude_peer(); }
    void disbelieve_peer() override { inner_->disbelieve_peer(); }
    void close() override { inner_->close(); }
    std::string_view bulk_path() const override { return inner_->bulk_path(); }
    void note_peers_end() override { inner_->note_peers_end(); }
    std::chrono::nanoseconds revisit_delay() const override { return inner_->revisit_delay(); }

protected:
    explicit LayeredChannel(Ref<Channel> inner) : inner_(std::move(inner)) { show_as(*inner_); }

    const Ref<Channel> inner_;
};

}  // namespace opennd::soft

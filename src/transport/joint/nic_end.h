// SPDX-License-Identifier: MIT
// The active end of a connection over the NIC, as one of the ways of a ReroutedConnector.
#pragma once

#include <span>
#include <utility>

#include "transport/adapter.h"
#include "transport/soft/wire.h"

namespace opennd::joint {

// Thread-safe from connect() on.
class NicEnd final : public soft::ActiveEnd {
public:
    explicit NicEnd(Ref<TransportAdapter> nic) : nic_(std::move(nic)) {}

    void connect(const Address& local, PortOrigin origin, const Address& remote, const ReadLimits& offer,
                 std::span<const std::byte> private_data, Ref<TransportQueuePair> queue_pair) override {
        inner_ = nic_->connect(std::exchange(sink_, nullptr), local, origin, remote, offer, private_data,
                               std::move(queue_pair));
    }
    void set_sink(Ref<ConnectorSink> sink) override {
        if (inner_)
            inner_->set_sink(std::move(sink));
        else
            sink_ = std::move(sink);
    }
    void complete() override {
        if (inner_) inner_->complete();
    }
    void accept(Ref<TransportQueuePair>, const ReadLimits&, std::span<const std::byte>) override {}
    void reject(std::span<const std::byte> private_data) override {
        if (inner_) inner_->reject(private_data);
    }
    void end(Ending how) override {
        if (inner_) inner_->end(how);
    }
    void finish(std::chrono::milliseconds patience) override {
        if (inner_) inner_->finish(patience);
    }
    bool abandoned() const override { return inner_ && inner_->abandoned(); }
    ConnectionPath path() const override { return inner_ ? inner_->path() : ConnectionPath{}; }

private:
    const Ref<TransportAdapter> nic_;
    Ref<ConnectorSink> sink_;        // until connect()
    Ref<TransportConnector> inner_;  // constant from connect() on; null: it has found no peer
};

}  // namespace opennd::joint

// SPDX-License-Identifier: MIT
// A connector, in a layer: around that of the transport. Both sides' connectors reach core as the layer's: those of adapter.h's connect(),
// and those of a listener.
#pragma once

#include <span>
#include <utility>

#include "transport/connector.h"
#include "transport/listener.h"

namespace opennd {

class LayerConnector : public TransportConnector {
public:
    // Takes the connector that it stands around, without memory: once, before any other call. A connection that has begun cannot wait for
    // memory.
    void wrap(Ref<TransportConnector> inner) { inner_ = std::move(inner); }

    void set_sink(Ref<ConnectorSink> sink) override { inner_->set_sink(std::move(sink)); }
    void complete() override { inner_->complete(); }
    void accept(Ref<TransportQueuePair> queue_pair, const ReadLimits& limits,
                std::span<const std::byte> private_data) override {
        inner_->accept(std::move(queue_pair), limits, private_data);
    }
    void reject(std::span<const std::byte> private_data) override { inner_->reject(private_data); }
    void end(Ending how) override { inner_->end(how); }
    void finish(std::chrono::milliseconds patience) override { inner_->finish(patience); }
    bool abandoned() const override { return inner_->abandoned(); }
    ConnectionPath path() const override { return inner_->path(); }

protected:
    const Ref<TransportConnector>& inner() const { return inner_; }

private:
    Ref<TransportConnector> inner_;  // constant after wrap()
};

// Core's sink of a listener, which gets a connector of the layer for each of the transport.
template <typename Connector>
class LayerListenerSink final : public ListenerSink {
public:
    explicit LayerListenerSink(Ref<ListenerSink> sink) : sink_(std::move(sink)) {}

    void on_request(Ref<TransportConnector> connector, ConnectionRequest request) override {
        const Ref<Connector> made = make_ref<Connector>();
        made->wrap(std::move(connector));
        sink_->on_request(made, std::move(request));
    }

private:
    const Ref<ListenerSink> sink_;
};

}  // namespace opennd

// SPDX-License-Identifier: MIT
// A connector that tells its queue pair the wire.
#pragma once

#include <utility>

#include "transport/connector.h"
#include "transport/listener.h"

namespace opennd::recording {

// Core's sink of a listener, which gets recorded connectors.
Ref<ListenerSink> recorded_sink(Ref<ListenerSink> sink);

class RecordedConnector final : public TransportConnector {
public:
    // Takes the connector that it stands around, without memory: once, before any other call.
    void stand_around(Ref<TransportConnector> inner) { inner_ = std::move(inner); }

    void set_sink(Ref<ConnectorSink> sink) override { inner_->set_sink(std::move(sink)); }
    void complete() override { inner_->complete(); }
    void accept(Ref<TransportQueuePair> queue_pair, const ReadLimits& limits,
                std::span<const std::byte> private_data) override;
    void reject(std::span<const std::byte> private_data) override { inner_->reject(private_data); }
    void disconnect() override { inner_->disconnect(); }
    void abort() override { inner_->abort(); }
    void end_gracefully(std::chrono::milliseconds patience) override { inner_->end_gracefully(patience); }
    void close(bool cancelled) override { inner_->close(cancelled); }
    bool abandoned() const override { return inner_->abandoned(); }
    ConnectionPath path() const override { return inner_->path(); }

private:
    Ref<TransportConnector> inner_;  // constant after stand_around()
};

}  // namespace opennd::recording

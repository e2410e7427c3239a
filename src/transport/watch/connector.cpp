// SPDX-License-Identifier: MIT
// See connector.h.
#include "transport/watch/connector.h"

namespace opennd::watch {
namespace {

class WatchedConnectorSink final : public ConnectorSink {
public:
    WatchedConnectorSink(Ref<ConnectorSink> sink, Ref<WatchedQueuePair> queue_pair)
        : sink_(std::move(sink)), queue_pair_(std::move(queue_pair)) {}

    void on_replied(const ReadLimits& limits, std::span<const std::byte> private_data) override {
        queue_pair_->set_outbound_reads(limits.outbound);
        sink_->on_replied(limits, private_data);
    }
    void on_connect_failed(Status status, std::span<const std::byte> private_data) override {
        sink_->on_connect_failed(status, private_data);
    }
    void on_established(const Carrier& carrier) override { sink_->on_established(carrier); }
    void on_establish_failed(Status status) override { sink_->on_establish_failed(status); }
    void on_disconnected(EndCause cause) override { sink_->on_disconnected(cause); }
    bool on_peer_finished() override { return sink_->on_peer_finished(); }
    void on_finished(Status status) override { sink_->on_finished(status); }

private:
    const Ref<ConnectorSink> sink_;
    const Ref<WatchedQueuePair> queue_pair_;
};

}  // namespace

Ref<ConnectorSink> watched_sink(Ref<ConnectorSink> sink, Ref<WatchedQueuePair> queue_pair) {
    return make_ref<WatchedConnectorSink>(std::move(sink), std::move(queue_pair));
}

void WatchedConnector::accept(Ref<TransportQueuePair> queue_pair, const ReadLimits& limits,
                              std::span<const std::byte> private_data) {
    auto& watched = static_cast<WatchedQueuePair&>(*queue_pair);
    watched.connects_over(inner()->path().transport);
    watched.set_outbound_reads(limits.outbound);
    inner()->accept(watched.inner(), limits, private_data);
}

}  // namespace opennd::watch

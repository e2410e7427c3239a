// SPDX-License-Identifier: MIT
// A connector that tells its queue pair the wire and the limits of the connection.
#pragma once

#include "transport/layer/connector.h"
#include "transport/watch/queue_pair.h"

namespace opennd::watch {

// Core's sink, and before it the queue pair that connects.
Ref<ConnectorSink> watched_sink(Ref<ConnectorSink> sink, Ref<WatchedQueuePair> queue_pair);

class WatchedConnector final : public LayerConnector {
public:
    void accept(Ref<TransportQueuePair> queue_pair, const ReadLimits& limits,
                std::span<const std::byte> private_data) override;
};

}  // namespace opennd::watch

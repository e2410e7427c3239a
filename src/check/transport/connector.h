// SPDX-License-Identifier: MIT
// A connector that tells its queue pair the limits of the connection.
#pragma once

#include <utility>

#include "check/transport/queue_pair.h"
#include "transport/layer/connector.h"

namespace opennd {

// Core's sink, and before it the queue pair that connects.
Ref<ConnectorSink> checked_sink(Ref<ConnectorSink> sink, Ref<CheckedQueuePair> queue_pair);

class CheckedConnector final : public LayerConnector {
public:
    void accept(Ref<TransportQueuePair> queue_pair, const ReadLimits& limits,
                std::span<const std::byte> private_data) override;
};

}  // namespace opennd

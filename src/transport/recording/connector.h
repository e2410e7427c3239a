// SPDX-License-Identifier: MIT
// A connector that tells its queue pair the wire.
#pragma once

#include <utility>

#include "transport/layer/connector.h"

namespace opennd::recording {

class RecordedConnector final : public LayerConnector {
public:
    void accept(Ref<TransportQueuePair> queue_pair, const ReadLimits& limits,
                std::span<const std::byte> private_data) override;
};

}  // namespace opennd::recording

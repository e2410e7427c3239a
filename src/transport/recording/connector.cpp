// SPDX-License-Identifier: MIT
// See connector.h.
#include "transport/recording/connector.h"

#include "transport/recording/queue_pair.h"

namespace opennd::recording {
void RecordedConnector::accept(Ref<TransportQueuePair> queue_pair, const ReadLimits& limits,
                               std::span<const std::byte> private_data) {
    auto& recorded = static_cast<RecordedQueuePair&>(*queue_pair);
    recorded.connects_over(inner()->path().transport);
    inner()->accept(recorded.inner(), limits, private_data);
}

}  // namespace opennd::recording

// SPDX-License-Identifier: MIT
// A connector as the queue pair that it has claimed knows it (connector.h).
#pragma once

#include "transport/connector.h"

namespace opennd {

class QueuePairClaimant : public ConnectorSink {
public:
    // The queue pair is being released while this connector has it. No lock of the queue pair's is held.
    virtual void on_queue_pair_closed() = 0;
};

}  // namespace opennd

// SPDX-License-Identifier: MIT
// A transport with faults: adapters that open while there is a plan refuse registrations and Connects where a rule strikes.
#pragma once

#include <string>

#include "platform/thread/event_loop.h"
#include "transport/faults/faults.h"
#include "transport/layer/transport.h"

namespace opennd::faults {

// Thread-safe.
class FaultyTransport final : public LayerTransport {
public:
    // All outlive it. `line_fault`: not empty: the setting's line is wrong, no adapter opens, and this says why.
    FaultyTransport(Transport& inner, Faults& faults, EventLoop& loop, std::string line_fault)
        : LayerTransport(inner), faults_(faults), loop_(loop), line_fault_(std::move(line_fault)) {}

    Result<Ref<TransportAdapter>> open(const Interface& on, Face face) override;

private:
    Faults& faults_;
    EventLoop& loop_;
    const std::string line_fault_;
};

}  // namespace opennd::faults

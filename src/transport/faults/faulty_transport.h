// SPDX-License-Identifier: MIT
// A transport with faults: adapters that open while there is a plan refuse registrations and Connects where a rule strikes.
#pragma once

#include <string>

#include "platform/thread/event_loop.h"
#include "transport/adapter.h"
#include "transport/faults/faults.h"

namespace opennd::faults {

// Thread-safe.
class FaultyTransport final : public Transport {
public:
    // All outlive it. `line_fault`: not empty: the setting's line is wrong, no adapter opens, and this says why.
    FaultyTransport(Transport& inner, Faults& faults, EventLoop& loop, std::string line_fault)
        : inner_(inner), faults_(faults), loop_(loop), line_fault_(std::move(line_fault)) {}

    Result<Ref<TransportAdapter>> open(const Interface& on, Face face) override;
    Result<Ref<RefCounted>> hold_kind(const Interface& on, AdapterKinds kinds) override {
        return inner_.hold_kind(on, kinds);
    }
    TransportChoice explain(const Address& local, const Address& remote) override {
        return inner_.explain(local, remote);
    }
    std::optional<std::vector<WireTraffic>> traffic(std::uint32_t index) const override {
        return inner_.traffic(index);
    }

private:
    Transport& inner_;
    Faults& faults_;
    EventLoop& loop_;
    const std::string line_fault_;
};

}  // namespace opennd::faults

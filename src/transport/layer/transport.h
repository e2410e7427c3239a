// SPDX-License-Identifier: MIT
// A layer around a transport, which hands on each function of the seam. A layer derives from the classes of this folder and overrides
// where it has something to do; the objects that it makes stand around those of the transport. Next: adapter.h.
#pragma once

#include <optional>
#include <vector>

#include "transport/adapter.h"

namespace opennd {

class LayerTransport : public Transport {
public:
    // `inner` outlives it.
    explicit LayerTransport(Transport& inner) : inner_(inner) {}

    Result<Ref<TransportAdapter>> open(const Interface& on, Face face) override { return inner_.open(on, face); }
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
};

}  // namespace opennd

// SPDX-License-Identifier: MIT
// The data path's part of the checking layer: a transport around a transport. It is put there when the library is made, so that nothing of
// it is passed where OPENND_CHECK is off. Next: adapter.h.
#pragma once

#include "base/shown_context.h"
#include "check/transport/checked_parts.h"
#include "transport/adapter.h"

namespace opennd {

class CheckedTransport final : public Transport, public ContextReader {
public:
    CheckedTransport(Transport& inner, Diagnostics& diagnostics) : inner_(inner), parts_{diagnostics, {}, {}} {}

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

    std::optional<const void*> given_context(const void* own) const noexcept override;

private:
    Transport& inner_;
    CheckedParts parts_;
};

}  // namespace opennd

// SPDX-License-Identifier: MIT
// A local address and port, reserved while this exists (NDK-SEP-01, -05): a listener of core's that is bound and does
// not listen.
#pragma once

#include <utility>

#include "base/ref.h"
#include "base/result.h"
#include "core/adapter/adapter.h"
#include "core/connection/listener.h"
#include "model/address.h"

namespace opennd {

class LocalEndpoint final : public RefCounted {
public:
    // Port 0 takes a free one. address_in_use, no_free_port, insufficient_resources.
    static Result<Ref<LocalEndpoint>> reserve(const Ref<Adapter>& adapter, const Address& address) {
        const Ref<Listener> listener = make_ref<Listener>(adapter);
        Status status = listener->bind(address);
        if (ok(status)) {
            const Result<Address> bound = listener->local_address();
            if (bound.ok()) return Ref<LocalEndpoint>(new LocalEndpoint(adapter, listener, bound.value()));
            status = bound.status();
        }
        listener->close();
        return status;
    }
    ~LocalEndpoint() override { listener_->close(); }

    const Ref<Adapter>& adapter() const { return adapter_; }
    const Address& address() const { return address_; }

private:
    LocalEndpoint(Ref<Adapter> adapter, Ref<Listener> listener, const Address& address)
        : adapter_(std::move(adapter)), listener_(std::move(listener)), address_(address) {}

    const Ref<Adapter> adapter_;
    const Ref<Listener> listener_;
    const Address address_;
};

}  // namespace opennd

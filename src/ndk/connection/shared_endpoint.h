// SPDX-License-Identifier: MIT
// NDK_SHARED_ENDPOINT: a local address and port for several connections (NDK-SEP-01).
#pragma once

#include <utility>

#include "base/ref.h"
#include "base/result.h"
#include "core/adapter/adapter.h"
#include "core/connection/listener.h"
#include "model/address.h"
#include "ndk/object/object.h"
#include "ndkpi.h"

namespace opennd {

// A local address and port, reserved while this exists (NDK-SEP-01, -05): a listener of core's that is bound and does
// not listen.
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

class NdkSharedEndpoint final : public NDK_SHARED_ENDPOINT, public NdkObject {
public:
    static constexpr NDK_OBJECT_TYPE kType = NdkObjectTypeSharedEndpoint;

    static NTSTATUS create(NdkAdapter& adapter, const SOCKADDR* address, ULONG bytes, NDK_SHARED_ENDPOINT** made);
    static NdkSharedEndpoint& of(NDK_SHARED_ENDPOINT* endpoint) { return static_cast<NdkSharedEndpoint&>(*endpoint); }

    const Ref<LocalEndpoint>& local() const { return local_; }
    NTSTATUS get_local_address(PSOCKADDR address, ULONG* bytes) const;

private:
    NdkSharedEndpoint(NdkAdapter& adapter, Ref<LocalEndpoint> local);
    void end() override { local_ = nullptr; }  // its address is free when the close completes

    Ref<LocalEndpoint> local_;
};

}  // namespace opennd

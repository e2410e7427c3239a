// SPDX-License-Identifier: MIT
// NDK_SHARED_ENDPOINT: a local address and port for several connections (NDK-SEP-01).
#pragma once

#include "base/ref.h"
#include "ndk/connection/local_endpoint.h"
#include "ndk/object/object.h"
#include "ndkpi.h"

namespace opennd {

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

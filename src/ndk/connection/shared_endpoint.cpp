// SPDX-License-Identifier: MIT
// See shared_endpoint.h.
#include "ndk/connection/shared_endpoint.h"

#include <utility>

#include "ndk/call/process_dispatch.h"
#include "ndk/call/refusal.h"
#include "ndk/call/socket_address.h"
#include "ndk/object/adapter.h"

namespace opennd {

NTSTATUS NdkSharedEndpoint::create(NdkAdapter& adapter, const SOCKADDR* address, ULONG bytes,
                                   NDK_SHARED_ENDPOINT** made) {
    constexpr NdkCall call{"adapter", "NdkCreateSharedEndpoint", "NDK-SEP-01"};
    return create_at_face(call, adapter, made, [&](NDK_SHARED_ENDPOINT** out) -> NTSTATUS {
        const std::optional<Address> wanted = read_address(address, bytes);
        if (!wanted) return refuse_address(call, address, bytes);
        if (!adapter.has(*wanted)) return refuse_local(call, *wanted);
        Result<Ref<LocalEndpoint>> local = LocalEndpoint::reserve(adapter.core(), *wanted);
        if (!local.ok()) return to_ntstatus(local.status());
        *out = new NdkSharedEndpoint(adapter, local.take());
        return STATUS_SUCCESS;
    });
}

NdkSharedEndpoint::NdkSharedEndpoint(NdkAdapter& adapter, Ref<LocalEndpoint> local)
    : NDK_SHARED_ENDPOINT{adapter.header(kType), &dispatch().shared_endpoint},
      NdkObject(adapter, "shared endpoint"),
      local_(std::move(local)) {}

NTSTATUS NdkSharedEndpoint::get_local_address(PSOCKADDR address, ULONG* bytes) const {
    return give_address({"shared endpoint", "NdkGetLocalAddress"}, local_->address(), address, bytes);
}

}  // namespace opennd

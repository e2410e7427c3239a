// SPDX-License-Identifier: MIT
// See protection_domain.h.
#include "ndk/memory/protection_domain.h"

#include <utility>

#include "ndk/call/process_dispatch.h"
#include "ndk/call/refusal.h"
#include "ndk/object/adapter.h"

namespace opennd {

NTSTATUS NdkProtectionDomain::create(NdkAdapter& adapter, NDK_PD** made) {
    return create_at_face({"adapter", "NdkCreatePd", "NDK-PD-01"}, adapter, made, [&](NDK_PD** out) -> NTSTATUS {
        Result<Ref<Adapter>> core = adapter.open_domain();
        if (!core.ok()) return to_ntstatus(core.status());
        const Result<Token> token = core.value()->address_space_token();
        if (!token.ok()) return to_ntstatus(token.status());
        *out = new NdkProtectionDomain(adapter, core.take(), token.value());
        return STATUS_SUCCESS;
    });
}

NdkProtectionDomain::NdkProtectionDomain(NdkAdapter& adapter, Ref<Adapter> core, Token privileged_token)
    : NDK_PD{adapter.header(kType), &dispatch().domain},
      NdkObject(adapter, "protection domain"),
      core_(std::move(core)),
      privileged_token_(privileged_token) {}

}  // namespace opennd

// SPDX-License-Identifier: MIT
// NDK_PD: an open of the device of its own; only its own queue pairs grant its tokens (NDK-PD-01).
#pragma once

#include "base/lock.h"
#include "base/ref.h"
#include "core/adapter/adapter.h"
#include "model/token.h"
#include "ndk/call/request.h"
#include "ndk/object/object.h"
#include "ndkpi.h"

namespace opennd {

class NdkProtectionDomain final : public NDK_PD, public NdkObject {
public:
    static constexpr NDK_OBJECT_TYPE kType = NdkObjectTypePd;

    static NTSTATUS create(NdkAdapter& adapter, NDK_PD** made);
    static NdkProtectionDomain& of(NDK_PD* domain) { return static_cast<NdkProtectionDomain&>(*domain); }

    const Ref<Adapter>& core() const { return core_; }
    UINT32 privileged_token() const { return to_ndk_token(privileged_token_); }
    // Guards the bindings of the domain's windows to its regions. Before core's locks; no object is released under it.
    Mutex& bindings() const { return bindings_; }

private:
    NdkProtectionDomain(NdkAdapter& adapter, Ref<Adapter> core, Token privileged_token);
    void end() override {}

    const Ref<Adapter> core_;
    const Token privileged_token_;
    mutable Mutex bindings_;
};

}  // namespace opennd

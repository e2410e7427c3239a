// SPDX-License-Identifier: MIT
// NDK_PD: an open of the device of its own, whose tokens no other domain's queue pairs grant (NDK-PD-01).
#pragma once

#include "base/lock.h"
#include "base/ref.h"
#include "core/adapter.h"
#include "model/token.h"
#include "ndk/object.h"
#include "ndk/token.h"
#include "ndkpi.h"

namespace opennd {

class NdkProtectionDomain final : public NDK_PD, public NdkObject {
public:
    static constexpr NDK_OBJECT_TYPE kType = NdkObjectTypePd;

    static NTSTATUS create(NdkAdapter& adapter, NDK_PD** made);
    static NdkProtectionDomain& of(NDK_PD* domain) { return *static_cast<NdkProtectionDomain*>(domain); }

    const Ref<Adapter>& core() const { return core_; }
    UINT32 privileged_token() const { return to_ndk_token(privileged_token_); }
    // Guards which window of the domain is bound to which region. Before core's locks; nobody lets an object go under it.
    Mutex& bindings() const { return bindings_; }

private:
    NdkProtectionDomain(NdkAdapter& adapter, Ref<Adapter> core, Token privileged_token);
    void end() override {}

    const Ref<Adapter> core_;
    const Token privileged_token_;
    mutable Mutex bindings_;
};

}  // namespace opennd

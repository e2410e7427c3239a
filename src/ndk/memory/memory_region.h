// SPDX-License-Identifier: MIT
// NDK_MR, of one kind for good: either one registration at a time of a chain of MDLs, or a region that requests of
// queue pairs register (NdkFastRegister).
#pragma once

#include <vector>

#include "base/lock.h"
#include "base/ref.h"
#include "core/memory/fast_region.h"
#include "core/memory/memory_region.h"
#include "model/access.h"
#include "ndk/call/request.h"
#include "ndk/memory/protection_domain.h"
#include "ndk/object/object.h"
#include "ndkpi.h"

namespace opennd {

class MdlRange;
class NdkMemoryWindow;

class NdkMemoryRegion final : public NDK_MR, public NdkObject {
public:
    static constexpr NDK_OBJECT_TYPE kType = NdkObjectTypeMr;

    static NTSTATUS create(NdkProtectionDomain& domain, bool fast, NDK_MR** made);
    static NdkMemoryRegion& of(NDK_MR* region) { return static_cast<NdkMemoryRegion&>(*region); }

    NdkProtectionDomain& domain() const { return *domain_; }
    // One of the two is null.
    const Ref<MemoryRegion>& core() const { return core_; }
    const Ref<FastRegion>& fast() const { return fast_; }

    NTSTATUS enroll(const MDL* chain, SIZE_T bytes, ULONG flags);
    NTSTATUS withdraw();
    NTSTATUS initialize(ULONG page_count, bool remote);
    UINT32 local_token() const { return to_ndk_token(fast_ ? fast_->local_token() : core_->local_token()); }
    UINT32 remote_token() const { return to_ndk_token(fast_ ? fast_->remote_token() : core_->remote_token()); }

private:
    friend class NdkMemoryWindow;  // enters itself while it is bound here

    NdkMemoryRegion(NdkProtectionDomain& domain, bool fast);
    void give_up() override;
    void end() override;
    Status enroll_address(const MdlRange& range, SIZE_T bytes, Access access);
    Status enroll_pages(const MdlRange& range, SIZE_T bytes, Access access);

    const Use<NdkProtectionDomain> domain_;
    const Ref<MemoryRegion> core_;
    const Ref<FastRegion> fast_;
    std::vector<NdkMemoryWindow*> windows_;  // each has a use of this object; guarded by the domain's lock for bindings
};

}  // namespace opennd

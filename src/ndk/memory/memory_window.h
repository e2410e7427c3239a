// SPDX-License-Identifier: MIT
// NDK_MW. Core's windows are bound once at a time; a Bind of one that is bound takes a fresh one (NDK-MW-04).
#pragma once

#include "base/ref.h"
#include "core/memory/memory_window.h"
#include "model/access.h"
#include "model/token.h"
#include "model/work_request.h"
#include "ndk/memory/memory_region.h"
#include "ndk/memory/protection_domain.h"
#include "ndk/object/object.h"
#include "ndkpi.h"

namespace opennd {

class QueuePair;

class NdkMemoryWindow final : public NDK_MW, public NdkObject {
public:
    static constexpr NDK_OBJECT_TYPE kType = NdkObjectTypeMw;

    static NTSTATUS create(NdkProtectionDomain& domain, NDK_MW** made);
    static NdkMemoryWindow& of(NDK_MW* window) { return static_cast<NdkMemoryWindow&>(*window); }

    NdkProtectionDomain& domain() const { return *domain_; }
    UINT32 remote_token() const;

    // The part of a region that NdkBind binds, on a queue pair of the domain.
    struct Part {
        std::byte* address;
        std::size_t bytes;
        Access access;
    };
    // Statuses as QueuePair::bind, none for a window that is bound. The region is used from success on.
    Status bind(QueuePair& queue_pair, NdkMemoryRegion& region, const Part& part, RequestFlags flags, void* context);
    // NdkInvalidate. As QueuePair::invalidate. The region's use ends with the request's acceptance: a region that is closed
    // before it executes ends the binding itself.
    Status invalidate(QueuePair& queue_pair, RequestFlags flags, void* context);

    // For NdkMemoryRegion at its close: ends the use of windows that were bound to it and are not any more.
    static void let_go_of(NdkMemoryRegion& region);

private:
    explicit NdkMemoryWindow(NdkProtectionDomain& domain);
    void end() override;
    Use<NdkMemoryRegion> leave_region();

    const Use<NdkProtectionDomain> domain_;
    // Guarded by the domain's lock for bindings.
    Ref<MemoryWindow> core_;
    Use<NdkMemoryRegion> region_;  // bound to it, or was
    Token token_ = Token::none;    // of the newest Bind
};

}  // namespace opennd

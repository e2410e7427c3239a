// SPDX-License-Identifier: MIT
//
// NdkMemoryRegion: an NDK_MR of memory of this process, which MDLs describe to it.
#pragma once

#include "network/ndk/adapter.h"
#include "network/ndk/requests.h"

#include <cstddef>
#include <memory>

namespace nd {

class NdkMemoryRegion final : public NdkRequests {
public:
    // Makes a memory region; statuses as NdkCreateMr.
    static HRESULT make(const NdkAdapter& adapter, std::unique_ptr<NdkMemoryRegion>& made);

    // For local access and all that peers may do.
    HRESULT Register(void* memory, std::size_t bytes, OVERLAPPED* request);
    HRESULT Deregister(OVERLAPPED* request);
    UINT32 GetLocalToken() const { return region_->Dispatch->NdkGetLocalTokenFromMr(region_.get()); }
    UINT32 GetRemoteToken() const { return region_->Dispatch->NdkGetRemoteTokenFromMr(region_.get()); }

    void CancelOverlappedRequests() override {}  // none takes long

private:
    NdkMemoryRegion() = default;

    Owned<NDK_MR> region_;
};

}  // namespace nd

// SPDX-License-Identifier: MIT
//
// Read registration.h first.
#include "network/memory/registration.h"

#include "nd_error.h"

#include <endian.h>

namespace nd {

Registration::Registration(const Adapter& adapter) : adapter_(adapter) {
    if (adapter.api() == Api::nd2)
        check(adapter.nd2()->CreateMemoryRegion(IID_IND2MemoryRegion, adapter.overlapped_file(), region_.put()),
              "make a memory region", "IND2Adapter::CreateMemoryRegion");
    if (adapter.api() == Api::ndk)
        check(NdkMemoryRegion::make(*adapter.ndk(), ndk_region_), "make a memory region", "NdkCreateMr");
}

HRESULT Registration::begin(void* memory, std::size_t bytes, OVERLAPPED* request) {
    constexpr ULONG kRights = ND_MR_FLAG_ALLOW_LOCAL_WRITE | ND_MR_FLAG_ALLOW_REMOTE_READ |
                              ND_MR_FLAG_ALLOW_REMOTE_WRITE | ND_MR_FLAG_RDMA_READ_SINK;
    if (ndk_region_) return ndk_region_->Register(memory, bytes, request);
    return region_ ? region_->Register(memory, bytes, kRights, request)
                   : adapter_.nd1()->RegisterMemory(memory, bytes, request, &handle_);
}

HRESULT Registration::end(OVERLAPPED* request) {
    if (ndk_region_) return ndk_region_->Deregister(request);
    return region_ ? region_->Deregister(request) : adapter_.nd1()->DeregisterMemory(handle_, request);
}

const char* Registration::begin_method() const {
    return ndk_region_ ? "NdkRegisterMr" : region_ ? "IND2MemoryRegion::Register" : "INDAdapter::RegisterMemory";
}

const char* Registration::end_method() const {
    return ndk_region_ ? "NdkDeregisterMr" : region_ ? "IND2MemoryRegion::Deregister" : "INDAdapter::DeregisterMemory";
}

UINT32 Registration::local_token() const {
    return ndk_region_ ? ndk_region_->GetLocalToken() : region_ ? region_->GetLocalToken() : 0;
}

UINT32 Registration::remote_token() const {
    return ndk_region_ ? htobe32(ndk_region_->GetRemoteToken()) : region_ ? region_->GetRemoteToken() : 0;
}

}  // namespace nd

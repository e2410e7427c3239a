// SPDX-License-Identifier: MIT
//
// Read registration.h first.
#include "network/registration.h"

#include "nd_error.h"

namespace nd {

Registration::Registration(const Adapter& adapter) : adapter_(adapter) {
    if (adapter.api() == Api::nd2)
        check(adapter.nd2()->CreateMemoryRegion(IID_IND2MemoryRegion, adapter.overlapped_file(), region_.put()),
              "make a memory region", "IND2Adapter::CreateMemoryRegion");
}

HRESULT Registration::begin(void* memory, std::size_t bytes, OVERLAPPED* request) {
    constexpr ULONG kRights = ND_MR_FLAG_ALLOW_LOCAL_WRITE | ND_MR_FLAG_ALLOW_REMOTE_READ |
                              ND_MR_FLAG_ALLOW_REMOTE_WRITE | ND_MR_FLAG_RDMA_READ_SINK;
    return region_ ? region_->Register(memory, bytes, kRights, request)
                   : adapter_.nd1()->RegisterMemory(memory, bytes, request, &handle_);
}

HRESULT Registration::end(OVERLAPPED* request) {
    return region_ ? region_->Deregister(request) : adapter_.nd1()->DeregisterMemory(handle_, request);
}

const char* Registration::begin_method() const {
    return region_ ? "IND2MemoryRegion::Register" : "INDAdapter::RegisterMemory";
}

const char* Registration::end_method() const {
    return region_ ? "IND2MemoryRegion::Deregister" : "INDAdapter::DeregisterMemory";
}

}  // namespace nd

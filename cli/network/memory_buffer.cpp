// SPDX-License-Identifier: MIT
//
// Read memory_buffer.h first.
#include "network/memory_buffer.h"

#include "nd_error.h"

#include <cstdlib>
#include <cstring>
#include <new>
#include <string>

namespace nd {
namespace {

constexpr std::size_t kPage = 4096;

void* allocate(std::size_t bytes, MemoryKind kind) {
    void* memory = nullptr;
    if (kind == MemoryKind::mappable) {
        check(opennd_memory_allocate(bytes, &memory), "allocate " + std::to_string(bytes) + " bytes of mappable memory",
              "opennd_memory_allocate");
    } else {
        memory = std::aligned_alloc(kPage, (bytes + kPage - 1) / kPage * kPage);
        if (memory == nullptr) throw std::bad_alloc();
    }
    std::memset(memory, 0, bytes);  // touch every page before anything is timed
    return memory;
}

void release(void* memory, MemoryKind kind) {
    if (kind == MemoryKind::mappable)
        opennd_memory_free(memory);
    else
        std::free(memory);
}

}  // namespace

MemoryBuffer::MemoryBuffer(const Adapter& adapter, std::size_t bytes, MemoryKind kind)
    : bytes_(bytes), kind_(kind), memory_(allocate(bytes, kind)) {
    const std::string attempted = "register " + std::to_string(bytes) + " bytes";
    constexpr ULONG kRights = ND_MR_FLAG_ALLOW_LOCAL_WRITE | ND_MR_FLAG_ALLOW_REMOTE_READ |
                              ND_MR_FLAG_ALLOW_REMOTE_WRITE | ND_MR_FLAG_RDMA_READ_SINK;
    try {
        check(adapter->CreateMemoryRegion(IID_IND2MemoryRegion, adapter.overlapped_file(), region_.put()), attempted,
              "IND2Adapter::CreateMemoryRegion");
        check(request_.wait(region_.get(), region_->Register(memory_, bytes_, kRights, request_.overlapped())),
              attempted, "IND2MemoryRegion::Register");
    } catch (...) {
        region_.reset();
        release(memory_, kind_);
        throw;
    }
    local_token_ = region_->GetLocalToken();
    remote_token_ = region_->GetRemoteToken();
}

MemoryBuffer::~MemoryBuffer() {
    HRESULT submitted = region_->Deregister(request_.overlapped());
    if (submitted == ND_PENDING) region_->GetOverlappedResult(request_.overlapped(), 1);
    region_.reset();
    release(memory_, kind_);
}

ND2_SGE MemoryBuffer::part(std::size_t offset, std::size_t length) const {
    ND2_SGE sge = {};
    sge.Buffer = data() + offset;
    sge.BufferLength = static_cast<ULONG>(length);
    sge.MemoryRegionToken = local_token_;
    return sge;
}

}  // namespace nd

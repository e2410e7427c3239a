// SPDX-License-Identifier: MIT
//
// Read memory_region.h first.
#include "network/ndk/memory_region.h"

#include <algorithm>
#include <vector>

namespace nd {
namespace {

constexpr ULONG_PTR kPage = 4096;
constexpr std::size_t kMostInOne = std::size_t{1} << 30;  // a multiple of a page that ByteCount has room for

// A chain over memory where it is: page numbers that are left out are those of the addresses (NDK-MDL-04).
std::vector<MDL> describe(void* memory, std::size_t bytes) {
    std::vector<MDL> chain((bytes + kMostInOne - 1) / kMostInOne);
    auto address = reinterpret_cast<ULONG_PTR>(memory);
    for (MDL& part : chain) {
        const std::size_t taken = std::min(bytes, kMostInOne);
        part = {};
        part.Next = &part == &chain.back() ? nullptr : &part + 1;
        part.Size = sizeof part;
        part.StartVa = reinterpret_cast<PVOID>(address / kPage * kPage);
        part.ByteOffset = static_cast<ULONG>(address % kPage);
        part.ByteCount = static_cast<ULONG>(taken);
        address += taken;
        bytes -= taken;
    }
    return chain;
}

}  // namespace

HRESULT NdkMemoryRegion::make(const NdkAdapter& adapter, std::unique_ptr<NdkMemoryRegion>& made) {
    std::unique_ptr<NdkMemoryRegion> region(new NdkMemoryRegion);
    NDK_PD* const domain = adapter.domain();
    const NTSTATUS status = domain->Dispatch->NdkCreateMr(domain, FALSE, nullptr, nullptr, region->region_.put());
    if (status == STATUS_SUCCESS) made = std::move(region);
    return status;
}

// The MDLs are needed in the call alone: longer work has its own copy (NDK-MR-REG-02).
HRESULT NdkMemoryRegion::Register(void* memory, std::size_t bytes, OVERLAPPED* request) {
    constexpr ULONG kRights = NDK_MR_FLAG_ALLOW_LOCAL_WRITE | NDK_MR_FLAG_ALLOW_REMOTE_READ |
                              NDK_MR_FLAG_ALLOW_REMOTE_WRITE | NDK_MR_FLAG_RDMA_READ_SINK;
    std::vector<MDL> chain = describe(memory, bytes);
    begin(request);
    return region_->Dispatch->NdkRegisterMr(region_.get(), chain.data(), bytes, kRights, complete, request);
}

HRESULT NdkMemoryRegion::Deregister(OVERLAPPED* request) {
    begin(request);
    return region_->Dispatch->NdkDeregisterMr(region_.get(), complete, request);
}

}  // namespace nd

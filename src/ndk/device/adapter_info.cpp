// SPDX-License-Identifier: MIT
// See adapter_info.h. The values are those of NDK-ADP-INFO-02, as far as the transports reach them.
#include "ndk/device/adapter_info.h"

#include <algorithm>

#include "ndk/call/request.h"

namespace opennd {
namespace {

// Numbers of a software adapter. Programs only print them: no PCI vendor is pretended.
constexpr UINT32 kVendorId = 0x4F4E44;  // "OND"
constexpr UINT32 kDeviceId = 0x4E44;    // "ND"

// A consumer cuts it to 32 bits, which must be a large number then (NDK-CONS-06).
constexpr SIZE_T kMaxRegistration = 0x00007FFFFFFFF000;

ULONG flags_of(const AdapterTraits& traits) {
    ULONG flags = NDK_ADAPTER_FLAG_RDMA_READ_SINK_NOT_REQUIRED | NDK_ADAPTER_FLAG_MULTI_ENGINE_SUPPORTED;
    if (traits.moderates_interrupts) flags |= NDK_ADAPTER_FLAG_CQ_INTERRUPT_MODERATION_SUPPORTED;
    if (traits.ends_regions_by_reads) flags |= NDK_ADAPTER_FLAG_RDMA_READ_LOCAL_INVALIDATE_SUPPORTED;
    if (traits.resizes_completion_queues) flags |= NDK_ADAPTER_FLAG_CQ_RESIZE_SUPPORTED;
    if (traits.connects_to_itself) flags |= NDK_ADAPTER_FLAG_LOOPBACK_CONNECTIONS_SUPPORTED;
    return flags;
}

NDK_RDMA_TECHNOLOGY technology_of(const AdapterTraits& traits) {
    switch (traits.technology) {
        case Technology::infiniband: return NdkInfiniBand;
        case Technology::roce: return NdkRoCE;
        case Technology::roce_v2: return NdkRoCEv2;
        case Technology::iwarp: break;
    }
    return NdkiWarp;
}

}  // namespace

NDK_ADAPTER_INFO adapter_info(const AdapterLimits& limits, const AdapterTraits& traits, NDK_VERSION version) {
    NDK_ADAPTER_INFO info{};
    info.Version = version;  // NDK-ADP-INFO-01
    info.VendorId = traits.vendor_id ? traits.vendor_id : kVendorId;
    info.DeviceId = traits.vendor_id ? traits.device_id : kDeviceId;
    info.MaxRegistrationSize = std::min<SIZE_T>(kMaxRegistration, limits.max_registration_bytes - kNdkPageBytes);
    info.MaxWindowSize = std::min<SIZE_T>(info.MaxRegistrationSize, traits.max_window_bytes);
    info.FRMRPageCount = std::min(512u, traits.max_fast_pages);
    info.MaxInitiatorRequestSge = std::min(limits.max_initiator_sges, NdkSgeList::kMaxEntries);
    info.MaxReceiveRequestSge = std::min(limits.max_receive_sges, NdkSgeList::kMaxEntries);
    info.MaxReadRequestSge = std::min(limits.max_read_sges, NdkSgeList::kMaxEntries);
    info.MaxTransferLength = limits.max_transfer_bytes;
    info.MaxInlineDataSize = std::min(limits.max_inline_bytes, 256u);
    info.MaxInboundReadLimit = limits.max_inbound_reads;
    info.MaxOutboundReadLimit = limits.max_outbound_reads;
    info.MaxReceiveQueueDepth = limits.max_receive_depth;
    info.MaxInitiatorQueueDepth = limits.max_initiator_depth;
    info.MaxSrqDepth = limits.max_shared_receive_depth;
    info.MaxCqDepth = std::min(limits.max_completion_depth, 65536u);
    info.LargeRequestThreshold = limits.large_threshold_bytes;
    info.MaxCallerData = std::max(limits.max_private_data_bytes, limits.max_caller_data_bytes);
    info.MaxCalleeData = std::max(limits.max_private_data_bytes, limits.max_callee_data_bytes);
    info.AdapterFlags = flags_of(traits);
    info.RdmaTechnology = technology_of(traits);
    return info;
}

}  // namespace opennd

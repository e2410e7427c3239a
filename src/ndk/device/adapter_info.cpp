// SPDX-License-Identifier: MIT
// See adapter_info.h. The values are those of NDK-ADP-INFO-02, as far as the transports reach them.
#include "ndk/device/adapter_info.h"

#include <algorithm>

#include "ndk/call/sge.h"

namespace opennd {
namespace {

// Programs only print them: no PCI vendor is pretended.
constexpr UINT32 kVendorId = 0x4F4E44;  // "OND"
constexpr UINT32 kDeviceId = 0x4E44;    // "ND"

// A consumer cuts it to 32 bits, which must be a large number then (NDK-CONS-06).
constexpr SIZE_T kMaxRegistration = 0x00007FFFFFFFF000;

constexpr ULONG kAdapterFlags =
    NDK_ADAPTER_FLAG_RDMA_READ_SINK_NOT_REQUIRED | NDK_ADAPTER_FLAG_CQ_INTERRUPT_MODERATION_SUPPORTED |
    NDK_ADAPTER_FLAG_MULTI_ENGINE_SUPPORTED | NDK_ADAPTER_FLAG_RDMA_READ_LOCAL_INVALIDATE_SUPPORTED |
    NDK_ADAPTER_FLAG_CQ_RESIZE_SUPPORTED | NDK_ADAPTER_FLAG_LOOPBACK_CONNECTIONS_SUPPORTED;

}  // namespace

NDK_ADAPTER_INFO adapter_info(const AdapterLimits& limits, NDK_VERSION version) {
    NDK_ADAPTER_INFO info{};
    info.Version = version;  // NDK-ADP-INFO-01
    info.VendorId = kVendorId;
    info.DeviceId = kDeviceId;
    info.MaxRegistrationSize = std::min<SIZE_T>(kMaxRegistration, limits.max_registration_bytes - kNdkPageBytes);
    info.MaxWindowSize = info.MaxRegistrationSize;
    info.FRMRPageCount = 512;
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
    info.MaxCallerData = limits.max_private_data_bytes;
    info.MaxCalleeData = limits.max_private_data_bytes;
    info.AdapterFlags = kAdapterFlags;
    info.RdmaTechnology = NdkiWarp;
    return info;
}

}  // namespace opennd

// SPDX-License-Identifier: MIT
// See adapter_info.h.
#include "spi/nd2/call/adapter_info.h"

#include <algorithm>

#include "spi/nd2/call/argument.h"

namespace opennd {
namespace {

// Numbers of a software adapter. Programs print them and nothing else: no PCI vendor is pretended.
constexpr UINT16 kVendorId = 0x4F4E;  // "ON"
constexpr UINT16 kDeviceId = 0x4432;  // "D2"

ULONG flags_of(const AdapterTraits& traits) {
    ULONG flags = ND_ADAPTER_FLAG_MULTI_ENGINE_SUPPORTED;
    if (traits.places_in_order) flags |= ND_ADAPTER_FLAG_IN_ORDER_DMA_SUPPORTED;
    if (traits.resizes_completion_queues) flags |= ND_ADAPTER_FLAG_CQ_RESIZE_SUPPORTED;
    if (traits.connects_to_itself) flags |= ND_ADAPTER_FLAG_LOOPBACK_CONNECTIONS_SUPPORTED;
    return flags;
}

}  // namespace

ND2_ADAPTER_INFO adapter_info(const Adapter& adapter) {
    return adapter_info(adapter.limits(), adapter.traits(), adapter.id());
}

ND2_ADAPTER_INFO adapter_info(const AdapterLimits& limits, const AdapterTraits& traits, UINT64 id) {
    ND2_ADAPTER_INFO info{};
    info.InfoVersion = ND_VERSION_2;  // ND2-ADP-QUERY-02
    info.VendorId = static_cast<UINT16>(traits.vendor_id ? traits.vendor_id : kVendorId);
    info.DeviceId = static_cast<UINT16>(traits.vendor_id ? traits.device_id : kDeviceId);
    info.AdapterId = id;
    info.MaxRegistrationSize = limits.max_registration_bytes;
    info.MaxWindowSize = traits.max_window_bytes;
    info.MaxInitiatorSge = std::min(limits.max_initiator_sges, Nd2SgeList::kMaxEntries);
    info.MaxReceiveSge = std::min(limits.max_receive_sges, Nd2SgeList::kMaxEntries);
    info.MaxReadSge = std::min(limits.max_read_sges, info.MaxInitiatorSge);
    info.MaxTransferLength = limits.max_transfer_bytes;
    info.MaxInlineDataSize = limits.max_inline_bytes;
    info.MaxInboundReadLimit = limits.max_inbound_reads;
    info.MaxOutboundReadLimit = limits.max_outbound_reads;
    info.MaxReceiveQueueDepth = limits.max_receive_depth;
    info.MaxInitiatorQueueDepth = limits.max_initiator_depth;
    info.MaxSharedReceiveQueueDepth = limits.max_shared_receive_depth;
    info.MaxCompletionQueueDepth = limits.max_completion_depth;
    info.InlineRequestThreshold = std::min(limits.inline_threshold_bytes, limits.max_inline_bytes);
    info.LargeRequestThreshold = limits.large_threshold_bytes;
    info.MaxCallerData = limits.max_caller_data_bytes;
    info.MaxCalleeData = limits.max_callee_data_bytes;
    info.AdapterFlags = flags_of(traits);
    return info;
}

}  // namespace opennd

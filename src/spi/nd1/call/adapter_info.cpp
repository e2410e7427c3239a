// SPDX-License-Identifier: MIT
// ND_ADAPTER_INFO out of the adapter's limits.
#include "spi/nd1/call/adapter_info.h"

#include <algorithm>

#include "spi/nd1/call/sge.h"

namespace opennd {
namespace {

// Numbers of a software adapter, those of version 2 (ND1-AMB-53). Programs print them and nothing else: no PCI vendor is pretended.
constexpr UINT32 kVendorId = 0x4F4E;  // "ON"
constexpr UINT32 kDeviceId = 0x4432;  // "D2"

}  // namespace

ND_ADAPTER_INFO nd1_adapter_info(const Adapter& adapter) {
    const AdapterLimits& limits = adapter.limits();
    const AdapterTraits& traits = adapter.traits();
    ND_ADAPTER_INFO info{};
    info.VendorId = traits.vendor_id ? traits.vendor_id : kVendorId;
    info.DeviceId = traits.vendor_id ? traits.device_id : kDeviceId;
    info.MaxInboundSge = std::min(limits.max_receive_sges, Nd1SgeList::kMaxEntries);
    info.MaxInboundRequests = limits.max_receive_depth;
    info.MaxInboundLength = limits.max_transfer_bytes;
    info.MaxOutboundSge = std::min({limits.max_initiator_sges, limits.max_read_sges, Nd1SgeList::kMaxEntries});
    info.MaxOutboundRequests = limits.max_initiator_depth;
    info.MaxOutboundLength = limits.max_transfer_bytes;
    info.MaxInlineData = limits.max_inline_bytes;
    info.MaxInboundReadLimit = limits.max_inbound_reads;
    info.MaxOutboundReadLimit = limits.max_outbound_reads;
    info.MaxCqEntries = limits.max_completion_depth;
    info.MaxRegistrationSize = limits.max_registration_bytes;
    info.MaxWindowSize = traits.max_window_bytes;
    info.LargeRequestThreshold = limits.large_threshold_bytes;
    info.MaxCallerData = limits.max_caller_data_bytes;
    info.MaxCalleeData = limits.max_callee_data_bytes;
    return info;
}

}  // namespace opennd

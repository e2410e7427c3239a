// SPDX-License-Identifier: MIT
//
// Read adapter.h first.
#include "network/ndk/adapter.h"

#include "nd_error.h"

namespace nd {
namespace {

constexpr NDK_VERSION kVersion = {2, 1};

struct FlagNames {
    ULONG ndk, nd2;
};
constexpr FlagNames kFlags[] = {
    {NDK_ADAPTER_FLAG_IN_ORDER_DMA_SUPPORTED, ND_ADAPTER_FLAG_IN_ORDER_DMA_SUPPORTED},
    {NDK_ADAPTER_FLAG_CQ_INTERRUPT_MODERATION_SUPPORTED, ND_ADAPTER_FLAG_CQ_INTERRUPT_MODERATION_SUPPORTED},
    {NDK_ADAPTER_FLAG_MULTI_ENGINE_SUPPORTED, ND_ADAPTER_FLAG_MULTI_ENGINE_SUPPORTED},
    {NDK_ADAPTER_FLAG_CQ_RESIZE_SUPPORTED, ND_ADAPTER_FLAG_CQ_RESIZE_SUPPORTED},
    {NDK_ADAPTER_FLAG_LOOPBACK_CONNECTIONS_SUPPORTED, ND_ADAPTER_FLAG_LOOPBACK_CONNECTIONS_SUPPORTED},
};

ULONG flags_of_version_2(ULONG flags) {
    ULONG same = 0;
    for (const FlagNames& flag : kFlags)
        if ((flags & flag.ndk) != 0) same |= flag.nd2;
    return same;
}

}  // namespace

NdkAdapter::NdkAdapter(const SocketAddress& address) {
    const std::string attempted = "open the adapter " + address.host();
    check(opennd_ndk_open_adapter_by_address(kVersion, address.data(), address.length(), 0, &adapter_), attempted,
          "opennd_ndk_open_adapter_by_address");
    const NTSTATUS made = call().NdkCreatePd(adapter_, nullptr, nullptr, domain_.put());
    if (made == STATUS_SUCCESS) return;
    opennd_ndk_close_adapter(adapter_);
    throw NdError(made, attempted, "NdkCreatePd");
}

NdkAdapter::~NdkAdapter() {
    domain_ = {};
    opennd_ndk_close_adapter(adapter_);
}

ND2_ADAPTER_INFO NdkAdapter::limits() const {
    NDK_ADAPTER_INFO info = {};
    ULONG bytes = sizeof info;
    check(call().NdkQueryAdapterInfo(adapter_, &info, &bytes), "read the limits of the adapter", "NdkQueryAdapterInfo");
    ND2_ADAPTER_INFO limits = {};
    limits.InfoVersion = ND_VERSION_2;
    limits.VendorId = static_cast<UINT16>(info.VendorId);
    limits.DeviceId = static_cast<UINT16>(info.DeviceId);
    limits.MaxRegistrationSize = info.MaxRegistrationSize;
    limits.MaxWindowSize = info.MaxWindowSize;
    limits.MaxInitiatorSge = info.MaxInitiatorRequestSge;
    limits.MaxReceiveSge = info.MaxReceiveRequestSge;
    limits.MaxReadSge = info.MaxReadRequestSge;
    limits.MaxTransferLength = info.MaxTransferLength;
    limits.MaxInlineDataSize = info.MaxInlineDataSize;
    limits.MaxInboundReadLimit = info.MaxInboundReadLimit;
    limits.MaxOutboundReadLimit = info.MaxOutboundReadLimit;
    limits.MaxReceiveQueueDepth = info.MaxReceiveQueueDepth;
    limits.MaxInitiatorQueueDepth = info.MaxInitiatorQueueDepth;
    limits.MaxSharedReceiveQueueDepth = info.MaxSrqDepth;
    limits.MaxCompletionQueueDepth = info.MaxCqDepth;
    limits.InlineRequestThreshold = info.MaxInlineDataSize;  // NDK names no lower one
    limits.LargeRequestThreshold = info.LargeRequestThreshold;
    limits.MaxCallerData = info.MaxCallerData;
    limits.MaxCalleeData = info.MaxCalleeData;
    limits.AdapterFlags = flags_of_version_2(info.AdapterFlags);
    return limits;
}

}  // namespace nd

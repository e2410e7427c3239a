// SPDX-License-Identifier: MIT
// OpenND as NDIS sees a provider of NDK adapters.
#include "ndisndk.h"
#include "wdm/device/adapters.h"

namespace {

NDIS_STATUS open(NDIS_HANDLE context, PNDIS_OPEN_NDK_ADAPTER_PARAMETERS parameters, NDK_ADAPTER** adapter) {
    if (parameters == nullptr) return STATUS_INVALID_PARAMETER;
    if (parameters->SwitchId != 0 || parameters->VPortId != 0) return STATUS_NOT_SUPPORTED;
    const auto if_index = static_cast<NET_IFINDEX>(reinterpret_cast<ULONG_PTR>(context));
    return opennd::wdm::open_adapter(parameters->Version, if_index, adapter, "OpenNDKAdapterHandler");
}

VOID close(NDIS_HANDLE, NDK_ADAPTER* adapter) { opennd::wdm::close_adapter(adapter, "CloseNDKAdapterHandler"); }

constexpr NDIS_NDK_PROVIDER_CHARACTERISTICS kProvider = {
    .Header = {.Type = NDIS_OBJECT_TYPE_NDK_PROVIDER_CHARACTERISTICS,
               .Revision = NDIS_NDK_PROVIDER_CHARACTERISTICS_REVISION_1,
               .Size = sizeof(NDIS_NDK_PROVIDER_CHARACTERISTICS)},
    .Flags = 0,
    .OpenNDKAdapterHandler = open,
    .CloseNDKAdapterHandler = close};

}  // namespace

const NDIS_NDK_PROVIDER_CHARACTERISTICS* opennd_ndk_provider(VOID) { return &kProvider; }

// SPDX-License-Identifier: MIT
// See adapters.h.
#include "wdm/device/adapters.h"

#include "kernel/guard.h"
#include "opennd_ndk.h"
#include "wdm/checking/checking.h"

namespace opennd::wdm {

NTSTATUS open_adapter(NDK_VERSION version, NET_IFINDEX if_index, NDK_ADAPTER** adapter, const char* call) {
    (void)expect_irql_at_most(PASSIVE_LEVEL, call, {"NDK_ADAPTER", nullptr});
    if (adapter == nullptr) return STATUS_INVALID_PARAMETER;
    NDK_ADAPTER* opened = nullptr;
    const NTSTATUS status = opennd_ndk_open_adapter(version, if_index, 0, &opened);
    if (!NT_SUCCESS(status)) return status;
    if (is_checking() && opennd_wdm_guard_adapter(opened) == FALSE) {
        opennd_ndk_close_adapter(opened);
        return STATUS_INSUFFICIENT_RESOURCES;
    }
    *adapter = opened;
    return status;
}

void close_adapter(NDK_ADAPTER* adapter, const char* call) {
    (void)expect_irql_at_most(PASSIVE_LEVEL, call, {"NDK_ADAPTER", adapter});
    if (adapter == nullptr) return;
    opennd_wdm_guard_closing(adapter);
    opennd_ndk_close_adapter(adapter);
    opennd_wdm_guard_closed(adapter);
}

}  // namespace opennd::wdm

// SPDX-License-Identifier: MIT
// The interface that a function of opennd_ndk.h names by its index.
#pragma once

#include <optional>

#include "library/settings_now.h"
#include "ndk/call/refusal.h"
#include "ndk/device/device.h"

namespace opennd {

// The result of body(interface), an NTSTATUS. NDIS_STATUS_ADAPTER_NOT_FOUND: no interface has the index.
template <typename Body>
NTSTATUS on_device(const NdkCall& call, NET_IFINDEX index, Body&& body) noexcept {
    return at_kernel_face(call, [&]() -> NTSTATUS {
        const std::optional<Interface> device = find_device(index, ndk_settings_now().configured);
        if (device) return body(*device);
        return refuse(NDIS_STATUS_ADAPTER_NOT_FOUND, {.object = call.object,
                                                      .operation = call.operation,
                                                      .asked = phrase("interface {}, which does not exist", index),
                                                      .limit = "the interfaces of this host",
                                                      .remedy = "take the index from opennd_ndk_enumerate_adapters",
                                                      .requirement = "NDK-HOST-01"});
    });
}

}  // namespace opennd

// SPDX-License-Identifier: MIT
// The limits of adapters on a device, found by trial.
#pragma once

#include <cstdint>

#include "base/result.h"
#include "model/adapter_abilities.h"
#include "model/limits.h"
#include "transport/verbs/device/device.h"

namespace opennd::verbs {

// The limits are those of the software transports, where the device has as much.
inline constexpr std::uint32_t kMostEntries = 16;  // of a request
inline constexpr std::uint32_t kMostTransfer = 1u << 30;
inline constexpr std::uint32_t kMostDepth = 16384;
inline constexpr std::uint32_t kMostReads = 128;
inline constexpr std::uint32_t kMostCompletions = 1u << 20;
inline constexpr std::uint32_t kMostInline = 1024;

// The flags by which a device tells of windows of any type.
inline constexpr unsigned kWindowFlags =
    IBV_DEVICE_MEM_WINDOW | IBV_DEVICE_MEM_WINDOW_TYPE_2A | IBV_DEVICE_MEM_WINDOW_TYPE_2B;

// The limits and traits of an adapter on a device, as the device tells and as trial shows.
struct DeviceLimits {
    AdapterLimits limits;
    AdapterTraits traits;        // max_window_bytes: 0 without windows of type 2
    bool exchanges_ece = false;  // its library has options for the peer's device (ibv_query_ece)
};

// Finds limits that can all be had in one queue pair (ND2-ADP-LIM-02): such a one is made, and given up again.
// Explained: device_removed, insufficient_resources, not_supported (a device that takes no queue pair at all).
Result<DeviceLimits> find_limits(Device& device);

}  // namespace opennd::verbs

// SPDX-License-Identifier: MIT
// The limits of adapters on a device, found by trial.
#pragma once

#include <cstdint>

#include "base/result.h"
#include "model/adapter_abilities.h"
#include "model/limits.h"
#include "transport/verbs/device/device.h"

namespace opennd::verbs {

// The most entries of a request.
inline constexpr std::uint32_t kMostEntries = 16;

// The limits and traits of an adapter on a device, as the device tells and as trial shows.
struct DeviceLimits {
    AdapterLimits limits;
    AdapterTraits traits;  // max_window_bytes: 0 without windows of type 2
};

// Finds limits that can all be had in one queue pair (ND2-ADP-LIM-02): such a one is made, and given up again.
// Explained: device_removed, insufficient_resources, not_supported (a device that takes no queue pair at all).
Result<DeviceLimits> find_limits(Device& device);

}  // namespace opennd::verbs

// SPDX-License-Identifier: MIT
// The report of a device for people: ../device_report.h.
#pragma once

#include "transport/device_report.h"
#include "transport/verbs/device/device_limits.h"

namespace opennd::verbs {

// Asks the device and the kernel once more; `can` was found on it before. A part that nobody tells stays as it is in a new report.
// Throws std::bad_alloc.
DeviceReport report_of(Device& device, const DeviceLimits& can);

}  // namespace opennd::verbs

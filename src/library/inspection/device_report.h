// SPDX-License-Identifier: MIT
// The report of an RDMA device as JSON, for opennd_device_report.
#pragma once

#include <string>

#include "transport/device_report.h"

namespace opennd {

std::string device_report(const DeviceReport& report);

}  // namespace opennd

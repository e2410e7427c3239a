// SPDX-License-Identifier: MIT
// A device in words, for nd info and opennd_transport_explain.
#pragma once

#include <string>

#include "transport/verbs/device.h"

namespace opennd::verbs {

// "RDMA device mlx5_0 (driver mlx5, firmware 28.39), RoCE v2, port 1 active at 100 Gb/sec (4X EDR), NUMA node 0, locked memory
// without limit".
// Unknown parts are left out.
std::string text_of(const Device& device);

}  // namespace opennd::verbs

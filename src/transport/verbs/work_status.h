// SPDX-License-Identifier: MIT
// The outcome of a request of the hardware as a Status, and its number for programs (NDK-QP-COMP-04).
#pragma once

#include <cstdint>

#include "base/status.h"
#include "model/work_request.h"
#include "transport/verbs/rdma_core.h"

namespace opennd::verbs {

// LOC_QP_OP and GENERAL give internal_error: soft devices use them for the program's faults, too (see RegionMap::blame).
Status status_of(ibv_wc_status status, Operation operation);

// 0 for success and WR_FLUSH.
std::uint32_t provider_code_of(const ibv_wc& result);

}  // namespace opennd::verbs

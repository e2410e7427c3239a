// SPDX-License-Identifier: MIT
// Requests that fail: what the device tells of them, as a Status for the program and in words for people.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/status.h"
#include "model/work_request.h"
#include "transport/verbs/device/device.h"
#include "transport/verbs/device/rdma_core.h"

namespace opennd::verbs {

// The first failed request of a queue pair, as the hardware tells it.
struct RequestFailure {
    Operation operation;
    Status status;
    ibv_wc_status reason;  // SUCCESS: OpenND refused it, a Read on a connection without Reads
    std::uint32_t vendor_code;
};

// Returns the Status for the outcome of a request of the hardware. LOC_QP_OP and GENERAL give internal_error: soft
// devices use them for the program's faults, too (see RegionMap::blame).
Status status_of(ibv_wc_status status, Operation operation);

// The number of an outcome for programs (NDK-QP-COMP-04); 0 for success and WR_FLUSH.
std::uint32_t provider_code_of(const ibv_wc& result);

// Reports the failure of a request that was accepted before.
[[gnu::cold]] void report_failure(const Device& device, const RequestFailure& failure);

// Explains that the device refuses a post to `object` with `result`, an errno or its negative. `asked` says what was
// posted.
[[gnu::cold]] Status refuse_post(const Device& device, std::string_view object, std::string_view operation,
                                 std::string_view asked, int result);

}  // namespace opennd::verbs

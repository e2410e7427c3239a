// SPDX-License-Identifier: MIT
// See work_status.h.
#include "transport/verbs/work_status.h"

#include "model/provider_code.h"

namespace opennd::verbs {

Status status_of(ibv_wc_status status, Operation operation) {
    switch (status) {
        case IBV_WC_SUCCESS: return Status::success;
        case IBV_WC_WR_FLUSH_ERR: return Status::canceled;
        case IBV_WC_LOC_LEN_ERR:
            return operation == Operation::receive ? Status::receive_too_small : Status::malformed_request;
        case IBV_WC_LOC_PROT_ERR:
        case IBV_WC_LOC_ACCESS_ERR:
        case IBV_WC_MW_BIND_ERR: return Status::access_violation;
        case IBV_WC_REM_ACCESS_ERR: return Status::remote_access_violation;
        case IBV_WC_REM_OP_ERR:
        case IBV_WC_REM_INV_REQ_ERR:
        case IBV_WC_BAD_RESP_ERR: return Status::remote_data_error;
        case IBV_WC_RETRY_EXC_ERR:
        case IBV_WC_RNR_RETRY_EXC_ERR:
        case IBV_WC_RESP_TIMEOUT_ERR: return Status::timed_out;
        case IBV_WC_REM_ABORT_ERR: return Status::connection_aborted;
        default: return Status::internal_error;
    }
}

std::uint32_t provider_code_of(const ibv_wc& result) {
    if (result.status == IBV_WC_SUCCESS || result.status == IBV_WC_WR_FLUSH_ERR) return 0;
    return provider_code(ProviderWire::verbs, static_cast<std::uint32_t>(result.status) | (result.vendor_err & 0xFFFF)
                                                                                              << 8);
}

}  // namespace opennd::verbs

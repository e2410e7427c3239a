// SPDX-License-Identifier: MIT
// See request_failure.h.
#include "transport/verbs/queue/request_failure.h"

#include <cerrno>
#include <cstdlib>
#include <system_error>

#include "base/explanation.h"
#include "model/provider_code.h"
#include "platform/process/errno_status.h"

namespace opennd::verbs {
namespace {

// The reason for which OpenND gives a request no chance.
struct Refusal {
    std::string_view limit, remedy;
};

Refusal refusal_of(Operation operation) {
    switch (operation) {
        case Operation::read:
            return {"0 outbound Reads on this connection", "agree on Reads when connecting (OutboundReadLimit)"};
        case Operation::bind:
            return {"memory registered here, and writable if the window is",
                    "pass a registration that exists, with the rights the window has"};
        case Operation::fast_register:
            return {"a fast region that is not registered, nor closed", "invalidate it first"};
        default:
            return {
                "windows that are bound on this queue pair, each binding once, and fast regions that are registered",
                "invalidate a window once, where it was bound, and a region once for each registration"};
    }
}

// The rule that a request broke which the device did not carry out.
std::string_view rule_of(const RequestFailure& failure) {
    switch (failure.status) {
        case Status::receive_too_small: return "ND2-QP-SEND-07";
        case Status::remote_data_error: return uses_receive(failure.operation) ? "ND2-QP-SEND-07" : "ND2-QP-ERR-01";
        case Status::timed_out: return uses_receive(failure.operation) ? "ND2-QP-SEND-05" : "ND2-QP-ERR-01";
        case Status::remote_access_violation: return "ND2-QP-RDMA-03";
        case Status::access_violation:
            return failure.operation == Operation::receive ? "ND2-QP-RECV-02" : "ND2-QP-RDMA-04";
        default: return "ND2-QP-ERR-01";
    }
}

}  // namespace

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

void report_failure(const Device& device, const RequestFailure& failure) {
    const bool by_device = failure.reason != IBV_WC_SUCCESS;
    const Refusal refusal = refusal_of(failure.operation);
    (void)report(failure.status,
                 {.object = "queue pair",
                  .operation = name(failure.operation),
                  .asked = "a request",
                  .limit = by_device ? phrase("RDMA device {} reports {}, vendor code {:#x}", device.facts().name,
                                              device.ibv().wc_status_str(failure.reason), failure.vendor_code)
                                     : phrase("{}", refusal.limit),
                  .remedy = by_device ? "see the status; the connection has ended" : refusal.remedy,
                  .requirement = rule_of(failure)});
}

// Some providers give the negative errno of their kernel's part.
Status refuse_post(const Device& device, std::string_view object, std::string_view operation, std::string_view asked,
                   int result) {
    const int error = std::abs(result);
    Status status = status_from_errno(error);
    if (error == ENOMEM) status = Status::queue_full;
    if (error == EINVAL) status = Status::malformed_request;
    return explain(status, {.object = object,
                            .operation = operation,
                            .asked = asked,
                            .limit = phrase("RDMA device {} refuses it: {}", device.facts().name,
                                            std::generic_category().message(error)),
                            .remedy = "report it with the output of nd info",
                            .requirement = "ND2-QP-STAT-02"});
}

}  // namespace opennd::verbs

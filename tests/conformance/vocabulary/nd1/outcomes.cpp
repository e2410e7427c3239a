// SPDX-License-Identifier: MIT
//
// See outcomes.h.
#include "conformance/vocabulary/nd1/outcomes.h"

#include <gtest/gtest.h>

#include "support/status.h"

namespace opennd::conformance::nd1 {
Outcome outcome_of(HRESULT status) {
    if (const auto outcome = outcome_in(&OutcomeRow::nd1, status)) return *outcome;
    ADD_FAILURE() << "no requirement allows this status here: " << support::status_text(status);
    return Outcome::unexpected;
}

Outcome result_of(RequestKind kind, HRESULT status) {
    if (status == ND_SUCCESS) return Outcome::success;
    if (status == ND_CANCELED) return Outcome::canceled;
    const bool transfer = kind != RequestKind::bind && kind != RequestKind::invalidate;
    if (status == ND_INVALIDATION_ERROR) return Outcome::invalid_request;  // and ND_INVALID_REQUEST
    if (status == ND_ACCESS_VIOLATION && kind != RequestKind::invalidate) return Outcome::access_violation;
    if (status == ND_TIMEOUT && transfer) return Outcome::io_timeout;
    if (status == ND_BUFFER_OVERFLOW && kind == RequestKind::receive) return Outcome::data_overrun;
    if (status == ND_REMOTE_ERROR && transfer)
        return kind == RequestKind::send ? Outcome::data_error : Outcome::access_violation;
    ADD_FAILURE() << "a result may not have this status (table 2.8): " << support::status_text(status);
    return Outcome::unexpected;
}

}  // namespace opennd::conformance::nd1

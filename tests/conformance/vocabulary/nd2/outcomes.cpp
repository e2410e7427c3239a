// SPDX-License-Identifier: MIT
//
// See outcomes.h.
#include "conformance/vocabulary/nd2/outcomes.h"

#include <gtest/gtest.h>

#include "support/status.h"

namespace opennd::conformance::nd2 {
Outcome outcome_of(HRESULT status) {
    if (const auto outcome = outcome_in(&OutcomeRow::nd2, status)) return *outcome;
    ADD_FAILURE() << "no requirement allows this status here: " << support::status_text(status);
    return Outcome::unexpected;
}

bool may_report(ND2_REQUEST_TYPE type, HRESULT status) {
    if (status == ND_SUCCESS || status == ND_CANCELED || status == ND_INTERNAL_ERROR) return true;
    switch (type) {
        case Nd2RequestTypeReceive: return status == ND_DATA_OVERRUN || status == ND_ACCESS_VIOLATION;
        case Nd2RequestTypeBind: return status == ND_INVALID_DEVICE_REQUEST || status == ND_ACCESS_VIOLATION;
        case Nd2RequestTypeInvalidate: return status == ND_INVALID_DEVICE_REQUEST;
        case Nd2RequestTypeSend:
        case Nd2RequestTypeRead:
        case Nd2RequestTypeWrite:
            return status == ND_INVALID_DEVICE_REQUEST || status == ND_ACCESS_VIOLATION || status == ND_IO_TIMEOUT ||
                   status == STATUS_DATA_ERROR;
    }
    return false;
}

}  // namespace opennd::conformance::nd2

// SPDX-License-Identifier: MIT
//
// See outcomes.h.
#include "conformance/nd1/outcomes.h"

#include <gtest/gtest.h>

#include "support/status.h"

namespace opennd::conformance::nd1 {
namespace {

struct Entry {
    HRESULT status;
    Outcome outcome;
};

constexpr Entry kCalls[] = {
    {ND_SUCCESS, Outcome::success},
    {ND_PENDING, Outcome::pending},
    {ND_ACCESS_VIOLATION, Outcome::access_violation},
    {ND_ADDRESS_ALREADY_EXISTS, Outcome::address_already_exists},
    {ND_BUFFER_OVERFLOW, Outcome::buffer_overflow},
    {ND_CANCELED, Outcome::canceled},
    {ND_CONNECTION_ABORTED, Outcome::connection_aborted},
    {ND_CONNECTION_ACTIVE, Outcome::connection_active},
    {ND_CONNECTION_INVALID, Outcome::connection_invalid},
    {ND_CONNECTION_REFUSED, Outcome::connection_refused},
    {ND_DATA_OVERRUN, Outcome::data_overrun},
    {ND_DEVICE_BUSY, Outcome::device_busy},
    {ND_INVALID_ADDRESS, Outcome::invalid_address},
    {ND_INVALID_PARAMETER, Outcome::invalid_parameter},
    {ND_INVALID_PARAMETER_1, Outcome::invalid_parameter},
    {ND_INVALID_PARAMETER_2, Outcome::invalid_parameter},
    {ND_INVALID_PARAMETER_3, Outcome::invalid_parameter},
    {ND_INVALID_PARAMETER_4, Outcome::invalid_parameter},
    {ND_INVALID_PARAMETER_5, Outcome::invalid_parameter},
    {ND_INVALID_PARAMETER_6, Outcome::invalid_parameter},
    {ND_INVALID_REQUEST, Outcome::invalid_request},
    {ND_INVALID_DEVICE_STATE, Outcome::invalid_state},
    {ND_INVALID_HANDLE, Outcome::invalid_state},
    {ND_NO_MORE_ENTRIES, Outcome::no_more_entries},
    {ND_NOT_SUPPORTED, Outcome::not_supported},
    {ND_REMOTE_ERROR, Outcome::access_violation},
    {ND_TIMEOUT, Outcome::io_timeout},
};

}  // namespace

Outcome outcome_of(HRESULT status) {
    for (const Entry& entry : kCalls)
        if (entry.status == status) return entry.outcome;
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

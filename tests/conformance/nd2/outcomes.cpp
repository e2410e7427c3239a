// SPDX-License-Identifier: MIT
//
// Outcomes of version 2. Some statuses have no name in ndstatus.h.
#include "conformance/nd2/outcomes.h"

#include <gtest/gtest.h>

#include "support/status.h"

namespace opennd::conformance::nd2 {
namespace {

struct Entry {
    HRESULT status;
    Outcome outcome;
};

constexpr HRESULT code(unsigned value) { return static_cast<HRESULT>(value); }

constexpr Entry kTable[] = {
    {ND_SUCCESS, Outcome::success},
    {ND_PENDING, Outcome::pending},
    {ND_ACCESS_VIOLATION, Outcome::access_violation},
    {code(0xC0000238), Outcome::address_already_associated},
    {ND_ADDRESS_ALREADY_EXISTS, Outcome::address_already_exists},
    {code(0xC0000239), Outcome::address_not_associated},
    {code(0xC00000CC), Outcome::bad_network_name},
    {ND_BUFFER_OVERFLOW, Outcome::buffer_overflow},
    {ND_CANCELED, Outcome::canceled},
    {ND_CONNECTION_ABORTED, Outcome::connection_aborted},
    {ND_CONNECTION_ACTIVE, Outcome::connection_active},
    {code(0xC000020C), Outcome::connection_disconnected},
    {ND_CONNECTION_INVALID, Outcome::connection_invalid},
    {ND_CONNECTION_REFUSED, Outcome::connection_refused},
    {code(0xC000003E), Outcome::data_error},
    {ND_DATA_OVERRUN, Outcome::data_overrun},
    {ND_DEVICE_BUSY, Outcome::device_busy},
    {ND_INVALID_ADDRESS, Outcome::invalid_address},
    {ND_INVALID_BUFFER_SIZE, Outcome::invalid_buffer_size},
    {ND_INVALID_PARAMETER, Outcome::invalid_parameter},
    {ND_INVALID_PARAMETER_1, Outcome::invalid_parameter},
    {ND_INVALID_PARAMETER_2, Outcome::invalid_parameter},
    {ND_INVALID_PARAMETER_3, Outcome::invalid_parameter},
    {ND_INVALID_PARAMETER_4, Outcome::invalid_parameter},
    {ND_INVALID_PARAMETER_6, Outcome::invalid_parameter},
    {ND_INVALID_DEVICE_REQUEST, Outcome::invalid_request},
    {ND_INVALID_DEVICE_STATE, Outcome::invalid_state},
    {ND_IO_TIMEOUT, Outcome::io_timeout},
    {ND_NO_MORE_ENTRIES, Outcome::no_more_entries},
    {ND_NOT_SUPPORTED, Outcome::not_supported},
    {ND_SHARING_VIOLATION, Outcome::sharing_violation},
};

}  // namespace

Outcome outcome_of(HRESULT status) {
    for (const Entry& entry : kTable) {
        if (entry.status == status) return entry.outcome;
    }
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
                   status == code(0xC000003E);
    }
    return false;
}

}  // namespace opennd::conformance::nd2

// SPDX-License-Identifier: MIT
//
// See outcome.h. The table stands beside that of the library (base/status_table.cpp) on purpose: it says what the requirements
// allow, and a test compares the two by its calls.
#include "conformance/vocabulary/outcome.h"

#include <ndkstatus.h>
#include <ndspi.h>

#include <algorithm>

namespace opennd::conformance {
namespace {

// Outcome and name; the statuses that calls have for it in version 2, in version 1 and in NDK. A call of NDK gives no warning
// (NDK-GEN-06).
const OutcomeRow kOutcomes[] = {
    {Outcome::success, "success", {ND_SUCCESS}, {ND_SUCCESS}, {STATUS_SUCCESS}},
    {Outcome::pending, "pending", {ND_PENDING}, {ND_PENDING}, {STATUS_PENDING}},
    {Outcome::access_violation,
     "access violation",
     {ND_ACCESS_VIOLATION},
     {ND_ACCESS_VIOLATION, ND_REMOTE_ERROR},
     {STATUS_ACCESS_VIOLATION}},
    {Outcome::address_already_associated, "address already associated", {STATUS_ADDRESS_ALREADY_ASSOCIATED}, {}, {}},
    {Outcome::address_already_exists,
     "address already exists",
     {ND_ADDRESS_ALREADY_EXISTS},
     {ND_ADDRESS_ALREADY_EXISTS},
     {STATUS_ADDRESS_ALREADY_EXISTS}},
    {Outcome::address_not_associated, "address not associated", {STATUS_ADDRESS_NOT_ASSOCIATED}, {}, {}},
    {Outcome::bad_network_name, "bad network name", {STATUS_BAD_NETWORK_NAME}, {}, {}},
    {Outcome::buffer_overflow, "buffer overflow", {ND_BUFFER_OVERFLOW}, {ND_BUFFER_OVERFLOW}, {}},
    {Outcome::canceled, "canceled", {ND_CANCELED}, {ND_CANCELED}, {STATUS_CANCELLED}},
    {Outcome::connection_aborted,
     "connection aborted",
     {ND_CONNECTION_ABORTED},
     {ND_CONNECTION_ABORTED},
     {STATUS_CONNECTION_ABORTED}},
    {Outcome::connection_active,
     "connection active",
     {ND_CONNECTION_ACTIVE},
     {ND_CONNECTION_ACTIVE},
     {STATUS_CONNECTION_ACTIVE}},
    {Outcome::connection_disconnected, "connection disconnected", {STATUS_CONNECTION_DISCONNECTED}, {}, {}},
    {Outcome::connection_invalid,
     "connection invalid",
     {ND_CONNECTION_INVALID},
     {ND_CONNECTION_INVALID},
     {STATUS_CONNECTION_INVALID}},
    {Outcome::connection_refused,
     "connection refused",
     {ND_CONNECTION_REFUSED},
     {ND_CONNECTION_REFUSED},
     {STATUS_CONNECTION_REFUSED}},
    {Outcome::data_error, "data error", {STATUS_DATA_ERROR}, {}, {}},
    {Outcome::data_overrun, "data overrun", {ND_DATA_OVERRUN}, {ND_DATA_OVERRUN}, {STATUS_DATA_OVERRUN}},
    {Outcome::device_busy, "device busy", {ND_DEVICE_BUSY}, {ND_DEVICE_BUSY}, {}},
    {Outcome::invalid_address, "invalid address", {ND_INVALID_ADDRESS}, {ND_INVALID_ADDRESS}, {STATUS_INVALID_ADDRESS}},
    {Outcome::invalid_buffer_size, "invalid buffer size", {ND_INVALID_BUFFER_SIZE}, {}, {STATUS_INVALID_BUFFER_SIZE}},
    {Outcome::invalid_parameter,
     "invalid parameter",
     {ND_INVALID_PARAMETER, ND_INVALID_PARAMETER_1, ND_INVALID_PARAMETER_2, ND_INVALID_PARAMETER_3,
      ND_INVALID_PARAMETER_4, ND_INVALID_PARAMETER_6},
     {ND_INVALID_PARAMETER, ND_INVALID_PARAMETER_1, ND_INVALID_PARAMETER_2, ND_INVALID_PARAMETER_3,
      ND_INVALID_PARAMETER_4, ND_INVALID_PARAMETER_5, ND_INVALID_PARAMETER_6},
     {STATUS_INVALID_PARAMETER}},
    {Outcome::invalid_request,
     "invalid device request",
     {ND_INVALID_DEVICE_REQUEST},
     {ND_INVALID_REQUEST},
     {STATUS_INVALID_DEVICE_REQUEST}},
    {Outcome::invalid_state,
     "invalid device state",
     {ND_INVALID_DEVICE_STATE},
     {ND_INVALID_DEVICE_STATE, ND_INVALID_HANDLE},
     {STATUS_INVALID_DEVICE_STATE}},
    {Outcome::io_timeout, "I/O timeout", {ND_IO_TIMEOUT}, {ND_TIMEOUT}, {STATUS_IO_TIMEOUT}},
    {Outcome::network_unreachable,
     "network unreachable",
     {ND_NETWORK_UNREACHABLE},
     {ND_NETWORK_UNREACHABLE},
     {STATUS_NETWORK_UNREACHABLE}},
    {Outcome::no_more_entries,
     "no more entries",
     {ND_NO_MORE_ENTRIES},
     {ND_NO_MORE_ENTRIES},
     {STATUS_INSUFFICIENT_RESOURCES}},
    {Outcome::not_supported, "not supported", {ND_NOT_SUPPORTED}, {ND_NOT_SUPPORTED}, {STATUS_NOT_SUPPORTED}},
    {Outcome::sharing_violation, "sharing violation", {ND_SHARING_VIOLATION}, {}, {STATUS_SHARING_VIOLATION}},
    {Outcome::nothing_by_the_deadline, "nothing by the deadline", {}, {}, {}},
    {Outcome::unexpected, "unexpected status", {}, {}, {}},
};

}  // namespace

const char* name_of(Outcome outcome) {
    for (const OutcomeRow& row : kOutcomes)
        if (row.outcome == outcome) return row.name;
    return "not an outcome";
}

std::optional<Outcome> outcome_in(const std::vector<std::int32_t> OutcomeRow::*face, std::int32_t status) {
    for (const OutcomeRow& row : kOutcomes)
        if (std::find((row.*face).begin(), (row.*face).end(), status) != (row.*face).end()) return row.outcome;
    return std::nullopt;
}

}  // namespace opennd::conformance

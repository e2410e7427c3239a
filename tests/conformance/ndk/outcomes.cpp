// SPDX-License-Identifier: MIT
//
// See outcomes.h.
#include "conformance/ndk/outcomes.h"

#include <gtest/gtest.h>

#include <ios>

namespace opennd::conformance::ndk {
namespace {

struct Entry {
    NTSTATUS status;
    Outcome outcome;
};

// No warning among them (NDK-GEN-06).
constexpr Entry kCalls[] = {
    {STATUS_SUCCESS, Outcome::success},
    {STATUS_PENDING, Outcome::pending},
    {STATUS_ACCESS_VIOLATION, Outcome::access_violation},
    {STATUS_ADDRESS_ALREADY_EXISTS, Outcome::address_already_exists},
    {STATUS_CANCELLED, Outcome::canceled},
    {STATUS_CONNECTION_ABORTED, Outcome::connection_aborted},
    {STATUS_CONNECTION_ACTIVE, Outcome::connection_active},
    {STATUS_CONNECTION_INVALID, Outcome::connection_invalid},
    {STATUS_CONNECTION_REFUSED, Outcome::connection_refused},
    {STATUS_DATA_OVERRUN, Outcome::data_overrun},
    {STATUS_INSUFFICIENT_RESOURCES, Outcome::no_more_entries},
    {STATUS_INVALID_ADDRESS, Outcome::invalid_address},
    {STATUS_INVALID_BUFFER_SIZE, Outcome::invalid_buffer_size},
    {STATUS_INVALID_DEVICE_REQUEST, Outcome::invalid_request},
    {STATUS_INVALID_DEVICE_STATE, Outcome::invalid_state},
    {STATUS_INVALID_PARAMETER, Outcome::invalid_parameter},
    {STATUS_IO_TIMEOUT, Outcome::io_timeout},
    {STATUS_NOT_SUPPORTED, Outcome::not_supported},
    {STATUS_SHARING_VIOLATION, Outcome::sharing_violation},
};

}  // namespace

Outcome outcome_of(NTSTATUS status) {
    for (const Entry& entry : kCalls)
        if (entry.status == status) return entry.outcome;
    ADD_FAILURE() << "no requirement allows this status here: 0x" << std::hex << static_cast<ULONG>(status);
    return Outcome::unexpected;
}

Outcome result_of(RequestKind kind, NTSTATUS status) {
    if (status == STATUS_SUCCESS) return Outcome::success;
    if (status == STATUS_CANCELLED) return Outcome::canceled;
    const bool registers = kind == RequestKind::bind || kind == RequestKind::invalidate;
    const bool received = kind == RequestKind::receive;
    if (status == STATUS_INVALID_DEVICE_REQUEST && (registers || received)) return Outcome::invalid_request;
    if (status == STATUS_ACCESS_VIOLATION && kind != RequestKind::invalidate) return Outcome::access_violation;
    if (status == STATUS_BUFFER_OVERFLOW && received) return Outcome::data_overrun;
    if (status == STATUS_IO_TIMEOUT && !registers && !received) return Outcome::io_timeout;
    if (status == STATUS_REMOTE_RESOURCES && !registers && !received)
        return kind == RequestKind::send ? Outcome::data_error : Outcome::access_violation;
    ADD_FAILURE() << "a result may not have this status: 0x" << std::hex << static_cast<ULONG>(status);
    return Outcome::unexpected;
}

Outcome event_of(NTSTATUS status) {
    return status == STATUS_BUFFER_OVERFLOW ? Outcome::buffer_overflow : outcome_of(status);
}

}  // namespace opennd::conformance::ndk

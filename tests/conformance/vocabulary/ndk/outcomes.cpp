// SPDX-License-Identifier: MIT
//
// See outcomes.h.
#include "conformance/vocabulary/ndk/outcomes.h"

#include <gtest/gtest.h>

#include <ios>

namespace opennd::conformance::ndk {
Outcome outcome_of(NTSTATUS status) {
    if (const auto outcome = outcome_in(&OutcomeRow::ndk, status)) return *outcome;
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

// SPDX-License-Identifier: MIT
//
// Outcome: the end of a call or request, in words that every face shares. Faces spell the same reason differently (an
// HRESULT, an NTSTATUS); numbered parameter statuses are one reason here and are told apart by each face's own tests.
#pragma once

#include <cstdint>
#include <optional>
#include <ostream>
#include <vector>

namespace opennd::conformance {

enum class Outcome {
    success,
    pending,
    access_violation,
    address_already_associated,
    address_already_exists,
    address_not_associated,
    bad_network_name,
    buffer_overflow,
    canceled,
    connection_aborted,
    connection_active,
    connection_disconnected,
    connection_invalid,
    connection_refused,
    data_error,
    data_overrun,
    device_busy,
    invalid_address,
    invalid_buffer_size,
    invalid_parameter,
    invalid_request,
    invalid_state,
    io_timeout,
    network_unreachable,
    no_more_entries,
    not_supported,
    sharing_violation,
    nothing_by_the_deadline,  // of the tests themselves: the awaited event did not come
    unexpected,               // a status that no requirement allows here; the driver has reported its value
};

const char* name_of(Outcome outcome);

struct OutcomeRow {
    Outcome outcome;
    const char* name;
    std::vector<std::int32_t> nd2, nd1, ndk;
};

// Of a call whose face gave `status`: outcome_in(&OutcomeRow::nd2, ND_CANCELED). Nothing: no requirement allows it there.
std::optional<Outcome> outcome_in(const std::vector<std::int32_t> OutcomeRow::*face, std::int32_t status);

inline std::ostream& operator<<(std::ostream& out, Outcome outcome) { return out << name_of(outcome); }

}  // namespace opennd::conformance

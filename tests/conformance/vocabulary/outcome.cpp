// SPDX-License-Identifier: MIT
//
// Names of outcomes, for failure messages.
#include "conformance/vocabulary/outcome.h"

namespace opennd::conformance {

const char* name_of(Outcome outcome) {
    switch (outcome) {
        case Outcome::success: return "success";
        case Outcome::pending: return "pending";
        case Outcome::access_violation: return "access violation";
        case Outcome::address_already_associated: return "address already associated";
        case Outcome::address_already_exists: return "address already exists";
        case Outcome::address_not_associated: return "address not associated";
        case Outcome::bad_network_name: return "bad network name";
        case Outcome::buffer_overflow: return "buffer overflow";
        case Outcome::canceled: return "canceled";
        case Outcome::connection_aborted: return "connection aborted";
        case Outcome::connection_active: return "connection active";
        case Outcome::connection_disconnected: return "connection disconnected";
        case Outcome::connection_invalid: return "connection invalid";
        case Outcome::connection_refused: return "connection refused";
        case Outcome::data_error: return "data error";
        case Outcome::data_overrun: return "data overrun";
        case Outcome::device_busy: return "device busy";
        case Outcome::invalid_address: return "invalid address";
        case Outcome::invalid_buffer_size: return "invalid buffer size";
        case Outcome::invalid_parameter: return "invalid parameter";
        case Outcome::invalid_request: return "invalid device request";
        case Outcome::invalid_state: return "invalid device state";
        case Outcome::io_timeout: return "I/O timeout";
        case Outcome::no_more_entries: return "no more entries";
        case Outcome::not_supported: return "not supported";
        case Outcome::sharing_violation: return "sharing violation";
        case Outcome::nothing_by_the_deadline: return "nothing by the deadline";
        case Outcome::unexpected: return "unexpected status";
    }
    return "not an outcome";
}

}  // namespace opennd::conformance

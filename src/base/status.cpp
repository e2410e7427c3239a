// SPDX-License-Identifier: MIT
// Names of the reasons; see status.h.
#include "base/status.h"

namespace opennd {

std::string_view name(Status status) {
    switch (status) {
        case Status::success: return "success";
        case Status::would_block: return "would_block";
        case Status::timed_out: return "timed_out";
        case Status::canceled: return "canceled";
        case Status::queue_full: return "queue_full";
        case Status::too_many_sges: return "too_many_sges";
        case Status::message_too_long: return "message_too_long";
        case Status::receive_too_small: return "receive_too_small";
        case Status::remote_data_error: return "remote_data_error";
        case Status::access_violation: return "access_violation";
        case Status::remote_access_violation: return "remote_access_violation";
        case Status::malformed_request: return "malformed_request";
        case Status::region_busy: return "region_busy";
        case Status::invalid_parameter: return "invalid_parameter";
        case Status::invalid_length: return "invalid_length";
        case Status::invalid_state: return "invalid_state";
        case Status::not_supported: return "not_supported";
        case Status::overrun: return "overrun";
        case Status::invalid_address: return "invalid_address";
        case Status::address_unspecified: return "address_unspecified";
        case Status::address_bound: return "address_bound";
        case Status::address_not_bound: return "address_not_bound";
        case Status::address_in_use: return "address_in_use";
        case Status::address_exists: return "address_exists";
        case Status::no_free_port: return "no_free_port";
        case Status::network_unreachable: return "network_unreachable";
        case Status::host_unreachable: return "host_unreachable";
        case Status::not_connected: return "not_connected";
        case Status::connection_active: return "connection_active";
        case Status::connection_refused: return "connection_refused";
        case Status::connection_aborted: return "connection_aborted";
        case Status::disconnected: return "disconnected";
        case Status::no_memory: return "no_memory";
        case Status::insufficient_resources: return "insufficient_resources";
        case Status::device_removed: return "device_removed";
        case Status::internal_error: return "internal_error";
    }
    return "?";
}

}  // namespace opennd

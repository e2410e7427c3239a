// SPDX-License-Identifier: MIT
// One line for each Status, no default: adding a Status breaks this build until it is mapped.
#include "spi/status_map.h"

#include "spi/status_name.h"

namespace opennd {

HRESULT failure_to_hresult(Status status) {
    switch (status) {
        case Status::success: return ND_SUCCESS;

        case Status::would_block: return ND_INTERNAL_ERROR;  // means "not now" inside, and stays inside
        case Status::timed_out: return ND_IO_TIMEOUT;        // never ND_TIMEOUT, which succeeds (ND2-CON-CONN-09)
        case Status::canceled: return ND_CANCELED;

        case Status::queue_full: return ND_NO_MORE_ENTRIES;
        case Status::too_many_sges: return ND_DATA_OVERRUN;
        case Status::message_too_long: return ND_BUFFER_OVERFLOW;
        case Status::receive_too_small: return ND_DATA_OVERRUN;    // ND2-AMB-04
        case Status::remote_data_error: return STATUS_DATA_ERROR;  // ND2-AMB-05
        case Status::access_violation: return ND_ACCESS_VIOLATION;
        case Status::remote_access_violation: return ND_ACCESS_VIOLATION;  // ND2-QP-RDMA-03
        case Status::malformed_request: return ND_INVALID_DEVICE_REQUEST;
        case Status::region_busy: return ND_DEVICE_BUSY;

        case Status::invalid_parameter: return ND_INVALID_PARAMETER;
        case Status::invalid_length: return ND_INVALID_BUFFER_SIZE;
        case Status::invalid_state: return ND_INVALID_DEVICE_STATE;
        case Status::not_supported: return ND_NOT_SUPPORTED;
        case Status::overrun: return ND_BUFFER_OVERFLOW;

        case Status::invalid_address: return ND_INVALID_ADDRESS;
        case Status::address_unspecified: return STATUS_BAD_NETWORK_NAME;
        case Status::address_bound: return STATUS_ADDRESS_ALREADY_ASSOCIATED;
        case Status::address_not_bound: return STATUS_ADDRESS_NOT_ASSOCIATED;
        case Status::address_in_use: return ND_SHARING_VIOLATION;
        case Status::address_exists: return ND_ADDRESS_ALREADY_EXISTS;
        case Status::no_free_port: return ND_TOO_MANY_ADDRESSES;
        case Status::network_unreachable: return ND_NETWORK_UNREACHABLE;
        case Status::host_unreachable: return ND_HOST_UNREACHABLE;
        case Status::not_connected: return ND_CONNECTION_INVALID;
        case Status::connection_active: return ND_CONNECTION_ACTIVE;
        case Status::connection_refused: return ND_CONNECTION_REFUSED;
        case Status::connection_aborted: return ND_CONNECTION_ABORTED;
        case Status::disconnected: return STATUS_CONNECTION_DISCONNECTED;  // ND2-AMB-10

        case Status::no_memory: return ND_NO_MEMORY;
        case Status::insufficient_resources: return ND_INSUFFICIENT_RESOURCES;
        case Status::device_removed: return ND_DEVICE_REMOVED;
        case Status::internal_error: return ND_INTERNAL_ERROR;
    }
    return ND_INTERNAL_ERROR;
}

FaceStatus face_status(Status status) {
    const HRESULT number = to_hresult(status);
    return {number, status_name(number)};
}

}  // namespace opennd

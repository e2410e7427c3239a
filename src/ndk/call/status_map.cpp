// SPDX-License-Identifier: MIT
// One line for each Status, no default: adding a Status breaks this build until it is mapped.
#include "ndk/call/status_map.h"

#include <algorithm>
#include <iterator>

namespace opennd {
namespace {

struct Name {
    NTSTATUS status;
    const char* name;
};

constexpr Name kNames[] = {
    {STATUS_BUFFER_OVERFLOW, "STATUS_BUFFER_OVERFLOW"},
    {STATUS_UNSUCCESSFUL, "STATUS_UNSUCCESSFUL"},
    {STATUS_ACCESS_VIOLATION, "STATUS_ACCESS_VIOLATION"},
    {STATUS_INVALID_PARAMETER, "STATUS_INVALID_PARAMETER"},
    {STATUS_INVALID_DEVICE_REQUEST, "STATUS_INVALID_DEVICE_REQUEST"},
    {STATUS_BUFFER_TOO_SMALL, "STATUS_BUFFER_TOO_SMALL"},
    {STATUS_INVALID_PARAMETER_MIX, "STATUS_INVALID_PARAMETER_MIX"},
    {STATUS_DATA_OVERRUN, "STATUS_DATA_OVERRUN"},
    {STATUS_SHARING_VIOLATION, "STATUS_SHARING_VIOLATION"},
    {STATUS_INSUFFICIENT_RESOURCES, "STATUS_INSUFFICIENT_RESOURCES"},
    {STATUS_IO_TIMEOUT, "STATUS_IO_TIMEOUT"},
    {STATUS_NOT_SUPPORTED, "STATUS_NOT_SUPPORTED"},
    {STATUS_INTERNAL_ERROR, "STATUS_INTERNAL_ERROR"},
    {STATUS_CANCELLED, "STATUS_CANCELLED"},
    {STATUS_REMOTE_RESOURCES, "STATUS_REMOTE_RESOURCES"},
    {STATUS_INVALID_ADDRESS, "STATUS_INVALID_ADDRESS"},
    {STATUS_INVALID_DEVICE_STATE, "STATUS_INVALID_DEVICE_STATE"},
    {STATUS_INVALID_BUFFER_SIZE, "STATUS_INVALID_BUFFER_SIZE"},
    {STATUS_TOO_MANY_ADDRESSES, "STATUS_TOO_MANY_ADDRESSES"},
    {STATUS_ADDRESS_ALREADY_EXISTS, "STATUS_ADDRESS_ALREADY_EXISTS"},
    {STATUS_CONNECTION_REFUSED, "STATUS_CONNECTION_REFUSED"},
    {STATUS_CONNECTION_INVALID, "STATUS_CONNECTION_INVALID"},
    {STATUS_CONNECTION_ACTIVE, "STATUS_CONNECTION_ACTIVE"},
    {STATUS_NETWORK_UNREACHABLE, "STATUS_NETWORK_UNREACHABLE"},
    {STATUS_HOST_UNREACHABLE, "STATUS_HOST_UNREACHABLE"},
    {STATUS_CONNECTION_ABORTED, "STATUS_CONNECTION_ABORTED"},
    {STATUS_DEVICE_REMOVED, "STATUS_DEVICE_REMOVED"},
    {STATUS_IMPLEMENTATION_LIMIT, "STATUS_IMPLEMENTATION_LIMIT"},
    {NDIS_STATUS_BAD_VERSION, "NDIS_STATUS_BAD_VERSION"},
    {NDIS_STATUS_ADAPTER_NOT_FOUND, "NDIS_STATUS_ADAPTER_NOT_FOUND"},
    {NDIS_STATUS_ADAPTER_NOT_READY, "NDIS_STATUS_ADAPTER_NOT_READY"},
};

}  // namespace

// No function returns a warning (NDK-GEN-06): the two warnings belong to results and callbacks alone, and functions
// that can meet them return other statuses.
NTSTATUS failure_to_ntstatus(Status status) {
    switch (status) {
        case Status::success: return STATUS_SUCCESS;

        case Status::would_block: return STATUS_INTERNAL_ERROR;  // means "not now" inside, and stays inside
        case Status::timed_out: return STATUS_IO_TIMEOUT;
        case Status::canceled: return STATUS_CANCELLED;

        case Status::queue_full: return STATUS_INSUFFICIENT_RESOURCES;
        case Status::too_many_sges: return STATUS_DATA_OVERRUN;
        case Status::message_too_long: return STATUS_DATA_OVERRUN;
        case Status::receive_too_small: return STATUS_BUFFER_OVERFLOW;  // of the receive
        case Status::remote_data_error: return STATUS_REMOTE_RESOURCES;
        case Status::access_violation: return STATUS_ACCESS_VIOLATION;
        case Status::remote_access_violation: return STATUS_ACCESS_VIOLATION;  // rights or bounds (NDK-QP-READ-02)
        case Status::malformed_request: return STATUS_INVALID_DEVICE_REQUEST;
        case Status::region_busy: return STATUS_INVALID_DEVICE_STATE;

        case Status::invalid_parameter: return STATUS_INVALID_PARAMETER;
        case Status::invalid_length: return STATUS_INVALID_BUFFER_SIZE;
        case Status::invalid_state: return STATUS_INVALID_DEVICE_STATE;
        case Status::not_supported: return STATUS_NOT_SUPPORTED;
        case Status::overrun: return STATUS_BUFFER_OVERFLOW;  // of a completion queue, to its callback

        case Status::invalid_address: return STATUS_INVALID_ADDRESS;
        case Status::address_unspecified: return STATUS_INVALID_PARAMETER;
        case Status::address_bound: return STATUS_INVALID_DEVICE_STATE;
        case Status::address_not_bound: return STATUS_INVALID_DEVICE_STATE;
        case Status::address_in_use: return STATUS_SHARING_VIOLATION;
        case Status::address_exists: return STATUS_ADDRESS_ALREADY_EXISTS;
        case Status::no_free_port: return STATUS_TOO_MANY_ADDRESSES;
        case Status::network_unreachable: return STATUS_NETWORK_UNREACHABLE;
        case Status::host_unreachable: return STATUS_HOST_UNREACHABLE;
        case Status::not_connected: return STATUS_CONNECTION_INVALID;
        case Status::connection_active: return STATUS_CONNECTION_ACTIVE;
        case Status::connection_refused: return STATUS_CONNECTION_REFUSED;
        case Status::connection_aborted: return STATUS_CONNECTION_ABORTED;
        case Status::disconnected: return STATUS_CONNECTION_ABORTED;

        case Status::no_memory: return STATUS_INSUFFICIENT_RESOURCES;
        case Status::insufficient_resources: return STATUS_INSUFFICIENT_RESOURCES;
        case Status::device_removed: return STATUS_DEVICE_REMOVED;
        case Status::internal_error: return STATUS_INTERNAL_ERROR;
    }
    return STATUS_INTERNAL_ERROR;
}

FaceStatus named(NTSTATUS status) {
    const auto* const found =
        std::find_if(std::begin(kNames), std::end(kNames), [&](const Name& each) { return each.status == status; });
    return {status, found == std::end(kNames) ? "" : found->name};
}

FaceStatus ndk_face_status(Status status) { return named(to_ntstatus(status)); }

}  // namespace opennd

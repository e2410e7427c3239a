// SPDX-License-Identifier: MIT
// See status.h. One line for each Status, no default: adding a Status breaks this build until it is mapped (ND1-RES-07).
#include "spi/nd1/status.h"

#include <algorithm>
#include <iterator>

#include "spi/status_name.h"

namespace opennd {
namespace {

constexpr HRESULT kFailure = ND_INTERNAL_ERROR;  // ND_FAILURE, which this header leaves to version 1 programs

struct Meaning {
    HRESULT status;
    std::string_view limit;
    std::string_view remedy;
    std::string_view requirement;
};

constexpr std::string_view kSeeLog = "; OPENND_LOG=warn shows the cause where it was found";

constexpr Meaning kMeanings[] = {
    {ND_CANCELED, "requests of an endpoint that has failed, been flushed or disconnected are given back",
     "look at the first result that is not ND_CANCELED, at either side", "ND1-EP-GEN-10"},
    {ND_ACCESS_VIOLATION, "memory that is registered, and writable if it is to be filled",
     "check handle and range of each entry", "ND1-EP-GEN-09"},
    {ND_BUFFER_OVERFLOW, "a message fits the Receive that was posted for it",
     "post Receives as long as the longest message", "ND1-EP-GEN-20"},
    {ND_REMOTE_ERROR, "the peer's window grants the access, or its Receive takes the message",
     "check descriptor, offset and rights, and the length of the peer's Receives", "ND1-EP-READ-09"},
    {ND_TIMEOUT, "the peer is there and has a Receive posted in time",
     "post Receives before the peer sends, and check that it still runs", "ND1-EP-GEN-22"},
    {ND_INVALIDATION_ERROR, "a window that is bound on this connection, each binding once",
     "let only one side end a binding", "ND1-EP-INV-04"},
    {ND_CONNECTION_REFUSED, "a listener at that address that has room and does not reject",
     "start the listener first, compare the ports, listen with a larger backlog", "ND1-CN-CONN-10"},
    {ND_CONNECTION_ABORTED, "both sides see the connection through", "connect again with new objects", "ND1-CN-ACC-04"},
};

constexpr Meaning kUnknown = {0, "the method's comment in the headers", "ask `nd explain` about the status",
                              "ND1-RES-07"};

}  // namespace

HRESULT failure_to_nd1(Status status) {
    switch (status) {
        case Status::success: return ND_SUCCESS;

        case Status::would_block: return kFailure;  // means "not now" inside, and stays inside
        case Status::timed_out: return ND_TIMEOUT;  // of results only, for it succeeds (ND1-AMB-11)
        case Status::canceled: return ND_CANCELED;

        case Status::queue_full: return ND_NO_MORE_ENTRIES;
        case Status::too_many_sges: return ND_DATA_OVERRUN;
        case Status::message_too_long: return ND_BUFFER_OVERFLOW;
        case Status::receive_too_small: return ND_BUFFER_OVERFLOW;  // ND1-EP-GEN-20
        case Status::remote_data_error: return ND_REMOTE_ERROR;
        case Status::access_violation: return ND_ACCESS_VIOLATION;
        case Status::remote_access_violation: return ND_REMOTE_ERROR;
        case Status::malformed_request: return ND_INVALIDATION_ERROR;
        case Status::region_busy: return ND_DEVICE_BUSY;

        case Status::invalid_parameter: return ND_INVALID_PARAMETER;
        case Status::invalid_length: return ND_BUFFER_OVERFLOW;
        case Status::invalid_state: return ND_INVALID_DEVICE_STATE;
        case Status::not_supported: return ND_NOT_SUPPORTED;
        case Status::overrun: return ND_BUFFER_OVERFLOW;

        case Status::invalid_address: return ND_INVALID_ADDRESS;
        case Status::address_unspecified: return ND_INVALID_ADDRESS;
        case Status::address_bound: return ND_CONNECTION_ACTIVE;
        case Status::address_not_bound: return ND_CONNECTION_INVALID;
        case Status::address_in_use: return ND_ADDRESS_ALREADY_EXISTS;
        case Status::address_exists: return ND_ADDRESS_ALREADY_EXISTS;
        case Status::no_free_port: return ND_INSUFFICIENT_RESOURCES;
        case Status::network_unreachable: return ND_NETWORK_UNREACHABLE;
        case Status::host_unreachable: return ND_HOST_UNREACHABLE;
        case Status::not_connected: return ND_CONNECTION_INVALID;
        case Status::connection_active: return ND_CONNECTION_ACTIVE;
        case Status::connection_refused: return ND_CONNECTION_REFUSED;
        case Status::connection_aborted: return ND_CONNECTION_ABORTED;
        case Status::disconnected: return ND_CONNECTION_INVALID;

        case Status::no_memory:  // see nd1_made_face_status()
        case Status::insufficient_resources: return ND_INSUFFICIENT_RESOURCES;
        case Status::device_removed: return ND_DEVICE_REMOVED;
        case Status::internal_error: return kFailure;
    }
    return kFailure;
}

FaceStatus nd1_face_status(Status status) {
    const HRESULT number = to_nd1(status);
    return {number, status_name(number)};
}

FaceStatus nd1_made_face_status(Status status) {
    if (status != Status::no_memory) return nd1_face_status(status);
    return {ND_NO_MEMORY, status_name(ND_NO_MEMORY)};
}

void remember_nd1_result(HRESULT status, std::string_view object, std::string_view operation) noexcept {
    const auto* const found = std::find_if(std::begin(kMeanings), std::end(kMeanings),
                                           [&](const Meaning& meaning) { return meaning.status == status; });
    const Meaning& meaning = found != std::end(kMeanings) ? *found : kUnknown;
    remember({status, status_name(status)}, {.object = object,
                                             .operation = operation,
                                             .asked = phrase("the result of {}", operation),
                                             .limit = meaning.limit,
                                             .remedy = phrase("{}{}", meaning.remedy, kSeeLog),
                                             .requirement = meaning.requirement});
}

HRESULT refuse_nd1_null(HRESULT status, const Site& site, std::string_view parameter) noexcept {
    return explain(status, {.object = site.object,
                            .operation = site.operation,
                            .asked = phrase("{} is NULL", parameter),
                            .limit = "a pointer that is not NULL",
                            .remedy = phrase("pass a valid address for {}", parameter),
                            .requirement = "ND1-GEN-06"});
}

HRESULT refuse_nd1_object(HRESULT status, const Site& site, std::string_view parameter, std::string_view kind,
                          std::string_view requirement) noexcept {
    return explain(status, {.object = site.object,
                            .operation = site.operation,
                            .asked = phrase("{} is NULL, of another kind, or of another adapter instance", parameter),
                            .limit = phrase("a {} of the same INDAdapter", kind),
                            .remedy = phrase("pass a {} that this adapter instance has created", kind),
                            .requirement = requirement});
}

HRESULT refuse_nd1_limit(HRESULT status, const Site& site, std::string_view what, SIZE_T asked, SIZE_T limit,
                         std::string_view requirement) noexcept {
    return explain(status, {.object = site.object,
                            .operation = site.operation,
                            .asked = phrase("{} {}", what, asked),
                            .limit = phrase("{}", limit),
                            .remedy = "stay within the limits of INDAdapter::Query, and of the object's creation",
                            .requirement = requirement});
}

}  // namespace opennd

// SPDX-License-Identifier: MIT
// See status_table.h.
#include "base/status_table.h"

#include <algorithm>
#include <cstddef>
#include <iterator>

namespace opennd {
namespace {

// Status, name, version 2, version 1, NDK; then the meaning in version 2 and in version 1. No function of NDK returns a warning
// (NDK-GEN-06): the two warnings belong to results and callbacks alone, and functions that can meet them return other statuses.
constexpr StatusRow kStatuses[] = {
    {Status::success, "success", ND_SUCCESS, ND_SUCCESS, STATUS_SUCCESS},

    // Not failures: "not now". would_block stays inside.
    {Status::would_block, "would_block", ND_INTERNAL_ERROR, ND_INTERNAL_ERROR, STATUS_INTERNAL_ERROR},
    // Never ND_TIMEOUT in version 2, for it succeeds (ND2-CON-CONN-09); version 1 has it in results (ND1-AMB-11).
    {Status::timed_out,
     "timed_out",
     ND_IO_TIMEOUT,
     ND_TIMEOUT,
     STATUS_IO_TIMEOUT,
     {"the peer answers, and has a receive posted, in time",
      "post receives before the peer sends, and check that it still runs", "ND2-QP-SEND-05"},
     {"the peer is there and has a Receive posted in time",
      "post Receives before the peer sends, and check that it still runs", "ND1-EP-GEN-22"}},
    {Status::canceled,
     "canceled",
     ND_CANCELED,
     ND_CANCELED,
     STATUS_CANCELLED,
     {"requests of a queue pair that has failed, been flushed or lost its connection are given back",
      "look at the first result that is not ND_CANCELED, at either side, or at the connection's line in the log",
      "ND2-QP-FLUSH-01"},
     {"requests of an endpoint that has failed, been flushed or disconnected are given back",
      "look at the first result that is not ND_CANCELED, at either side, or at the connection's line in the log",
      "ND1-EP-GEN-10"}},

    // Requests.
    {Status::queue_full, "queue_full", ND_NO_MORE_ENTRIES, ND_NO_MORE_ENTRIES, STATUS_INSUFFICIENT_RESOURCES},
    {Status::too_many_sges, "too_many_sges", ND_DATA_OVERRUN, ND_DATA_OVERRUN, STATUS_DATA_OVERRUN},
    {Status::message_too_long, "message_too_long", ND_BUFFER_OVERFLOW, ND_BUFFER_OVERFLOW, STATUS_DATA_OVERRUN},
    // ND2-AMB-04, ND1-EP-GEN-20; NDK: a warning, of the receive.
    {Status::receive_too_small,
     "receive_too_small",
     ND_DATA_OVERRUN,
     ND_BUFFER_OVERFLOW,
     STATUS_BUFFER_OVERFLOW,
     {"a message fits the receive that was posted for it", "post receives as long as the longest message",
      "ND2-QP-SEND-07"},
     {"a message fits the Receive that was posted for it", "post Receives as long as the longest message",
      "ND1-EP-GEN-20"}},
    // ND2-AMB-05
    {Status::remote_data_error,
     "remote_data_error",
     STATUS_DATA_ERROR,
     ND_REMOTE_ERROR,
     STATUS_REMOTE_RESOURCES,
     {"the peer's receive takes the whole message and its memory can be written",
      "let the peer post longer receives over memory with ND_MR_FLAG_ALLOW_LOCAL_WRITE", "ND2-QP-SEND-07"},
     {"the peer's window grants the access, or its Receive takes the message",
      "check descriptor, offset and rights, and the length of the peer's Receives", "ND1-EP-READ-09"}},
    {Status::access_violation,
     "access_violation",
     ND_ACCESS_VIOLATION,
     ND_ACCESS_VIOLATION,
     STATUS_ACCESS_VIOLATION,
     {"memory that is registered, with the right the request needs, from its first to its last byte",
      "check token, range and rights of the local entries and of the remote address", "ND2-QP-RDMA-03"},
     {"memory that is registered, and writable if it is to be filled", "check handle and range of each entry",
      "ND1-EP-GEN-09"}},
    // ND2-QP-RDMA-03; NDK: rights or bounds (NDK-QP-READ-02).
    {Status::remote_access_violation, "remote_access_violation", ND_ACCESS_VIOLATION, ND_REMOTE_ERROR,
     STATUS_ACCESS_VIOLATION},
    // ND_INVALIDATION_ERROR of version 1
    {Status::malformed_request,
     "malformed_request",
     ND_INVALID_DEVICE_REQUEST,
     ND_INVALID_DEVICE_REQUEST,
     STATUS_INVALID_DEVICE_REQUEST,
     {"a request that can be carried out as asked",
      "give Read a nonzero read limit at both sides; invalidate only a bound window", "ND2-QP-READ-03"},
     {"a window that is bound on this connection, each binding once", "let only one side end a binding",
      "ND1-EP-INV-04"}},
    {Status::region_busy, "region_busy", ND_DEVICE_BUSY, ND_DEVICE_BUSY, STATUS_INVALID_DEVICE_STATE},

    // Arguments and state.
    {Status::invalid_parameter, "invalid_parameter", ND_INVALID_PARAMETER, ND_INVALID_PARAMETER,
     STATUS_INVALID_PARAMETER},
    {Status::invalid_length, "invalid_length", ND_INVALID_BUFFER_SIZE, ND_BUFFER_OVERFLOW, STATUS_INVALID_BUFFER_SIZE},
    {Status::invalid_state, "invalid_state", ND_INVALID_DEVICE_STATE, ND_INVALID_DEVICE_STATE,
     STATUS_INVALID_DEVICE_STATE},
    {Status::not_supported, "not_supported", ND_NOT_SUPPORTED, ND_NOT_SUPPORTED, STATUS_NOT_SUPPORTED},
    // NDK: a warning, of a completion queue, to its callback.
    {Status::overrun,
     "overrun",
     ND_BUFFER_OVERFLOW,
     ND_BUFFER_OVERFLOW,
     STATUS_BUFFER_OVERFLOW,
     {"a completion queue with room for every result", "create it as deep as all queues of its queue pairs together",
      "ND2-CQ-OVR-01"}},

    // Addresses and connections.
    {Status::invalid_address, "invalid_address", ND_INVALID_ADDRESS, ND_INVALID_ADDRESS, STATUS_INVALID_ADDRESS},
    {Status::address_unspecified,
     "address_unspecified",
     STATUS_BAD_NETWORK_NAME,
     ND_INVALID_ADDRESS,
     STATUS_INVALID_PARAMETER,
     {"an address other than 0.0.0.0 and ::", "name the peer's address", "ND2-CON-CONN-05"}},
    {Status::address_bound, "address_bound", STATUS_ADDRESS_ALREADY_ASSOCIATED, ND_CONNECTION_ACTIVE,
     STATUS_INVALID_DEVICE_STATE},
    {Status::address_not_bound, "address_not_bound", STATUS_ADDRESS_NOT_ASSOCIATED, ND_CONNECTION_INVALID,
     STATUS_INVALID_DEVICE_STATE},
    {Status::address_in_use, "address_in_use", ND_SHARING_VIOLATION, ND_ADDRESS_ALREADY_EXISTS,
     STATUS_SHARING_VIOLATION},
    {Status::address_exists,
     "address_exists",
     ND_ADDRESS_ALREADY_EXISTS,
     ND_ADDRESS_ALREADY_EXISTS,
     STATUS_ADDRESS_ALREADY_EXISTS,
     {"one connection for each pair of addresses and ports", "bind the connector to port 0 or to another port",
      "ND2-CON-BIND-04"}},
    {Status::no_free_port, "no_free_port", ND_TOO_MANY_ADDRESSES, ND_INSUFFICIENT_RESOURCES, STATUS_TOO_MANY_ADDRESSES},
    {Status::network_unreachable,
     "network_unreachable",
     ND_NETWORK_UNREACHABLE,
     ND_NETWORK_UNREACHABLE,
     STATUS_NETWORK_UNREACHABLE,
     {"an address that one of the chosen transports reaches",
      "ask `nd info --peer ADDRESS`, or choose other transports (OPENND_TRANSPORT)", "ND2-CON-CONN-05"}},
    {Status::host_unreachable, "host_unreachable", ND_HOST_UNREACHABLE, ND_HOST_UNREACHABLE, STATUS_HOST_UNREACHABLE},
    {Status::not_connected, "not_connected", ND_CONNECTION_INVALID, ND_CONNECTION_INVALID, STATUS_CONNECTION_INVALID},
    {Status::connection_active, "connection_active", ND_CONNECTION_ACTIVE, ND_CONNECTION_ACTIVE,
     STATUS_CONNECTION_ACTIVE},
    {Status::connection_refused,
     "connection_refused",
     ND_CONNECTION_REFUSED,
     ND_CONNECTION_REFUSED,
     STATUS_CONNECTION_REFUSED,
     {"a listener at that address that has room and does not reject",
      "start the listener first, compare the ports, listen with a larger backlog", "ND2-CON-CONN-05"},
     {"a listener at that address that has room and does not reject",
      "start the listener first, compare the ports, listen with a larger backlog", "ND1-CN-CONN-10"}},
    {Status::connection_aborted,
     "connection_aborted",
     ND_CONNECTION_ABORTED,
     ND_CONNECTION_ABORTED,
     STATUS_CONNECTION_ABORTED,
     {"both sides see the connection through", "connect again with new objects", "ND2-CON-ACC-03"},
     {"both sides see the connection through", "connect again with new objects", "ND1-CN-ACC-04"}},
    // ND2-AMB-10
    {Status::disconnected,
     "disconnected",
     STATUS_CONNECTION_DISCONNECTED,
     ND_CONNECTION_INVALID,
     STATUS_CONNECTION_ABORTED,
     {"NotifyDisconnect tells of every end, also of this side's", "nothing: this side called Disconnect",
      "ND2-CON-NTF-01"}},

    // The machine.
    // Version 1: ND_NO_MEMORY where a method lists it, nd1_made_face_status().
    {Status::no_memory,
     "no_memory",
     ND_NO_MEMORY,
     ND_INSUFFICIENT_RESOURCES,
     STATUS_INSUFFICIENT_RESOURCES,
     {"memory that the system still has", "use smaller depths and sizes, or free some", "ND2-GEN-02"}},
    {Status::insufficient_resources,
     "insufficient_resources",
     ND_INSUFFICIENT_RESOURCES,
     ND_INSUFFICIENT_RESOURCES,
     STATUS_INSUFFICIENT_RESOURCES,
     {"descriptors, threads and table slots that are free",
      "raise the limit on open files (ulimit -n), or release objects", "ND2-GEN-02"}},
    {Status::device_removed, "device_removed", ND_DEVICE_REMOVED, ND_DEVICE_REMOVED, STATUS_DEVICE_REMOVED},
    {Status::internal_error,
     "internal_error",
     ND_INTERNAL_ERROR,
     ND_INTERNAL_ERROR,
     STATUS_INTERNAL_ERROR,
     {"no fault in OpenND or below it", "report it with the log of OPENND_LOG=debug", "ND2-GEN-02"}},
};

static_assert(std::size(kStatuses) == static_cast<std::size_t>(kLastStatus) + 1, "each Status has a row");
static_assert(
    [] {
        for (std::size_t i = 0; i < std::size(kStatuses); ++i)
            if (kStatuses[i].status != static_cast<Status>(i)) return false;
        return true;
    }(),
    "the rows stand in the order of the enum");
static_assert(std::all_of(std::begin(kStatuses) + 1, std::end(kStatuses),
                          [](const StatusRow& row) { return row.nd2 < 0 && row.ndk < 0; }),
              "no failure has a number that succeeds");
static_assert(
    [] {
        for (const StatusRow& row : kStatuses)
            for (const StatusRow& other : kStatuses) {
                if (&row == &other) continue;
                if (row.nd2 == other.nd2 && !row.nd2_meaning.limit.empty() && !other.nd2_meaning.limit.empty())
                    return false;
                if (row.nd1 == other.nd1 && !row.nd1_meaning.limit.empty() && !other.nd1_meaning.limit.empty())
                    return false;
            }
        return true;
    }(),
    "a value has one meaning");

}  // namespace

std::span<const StatusRow> status_table() { return kStatuses; }

const StatusRow& row_of(Status status) {
    return kStatuses[std::min(static_cast<std::size_t>(status), std::size(kStatuses) - 1)];
}

std::string_view name(Status status) { return row_of(status).name; }

}  // namespace opennd

// SPDX-License-Identifier: MIT
// The one internal error type: an enum of reasons, named for the fault. Made at the place that finds it, passed up
// unchanged, turned into a number only at a face, by the table of status_table.h.
#pragma once

#include <cstdint>
#include <string_view>

namespace opennd {

enum class [[nodiscard]] Status : std::uint8_t{
    success,

    // Not failures: "not now".
    would_block,  // the ring, socket or table is full or empty; try again after progress
    timed_out,    // the peer did not answer, or had no receive posted, in time
    canceled,     // cancelled by its owner, or flushed

    // Requests.
    queue_full,               // the queue pair's depth is used up
    too_many_sges,            // more scatter/gather entries than the queue pair takes
    message_too_long,         // over MaxTransferLength, or over the inline limit
    receive_too_small,        // the message does not fit the posted receive (at the receiver)
    remote_data_error,        // the peer could not place the message (at the sender)
    access_violation,         // token dead or foreign, right missing, or range outside: memory of this side
    remote_access_violation,  // the same of the peer's memory
    malformed_request,        // cannot be executed as asked, for example a read with limit 0
    region_busy,              // windows are bound to the region

    // Arguments and state.
    invalid_parameter,
    invalid_length,  // zero-length registration, private data too long
    invalid_state,   // not allowed in this state of the object
    not_supported,   // this adapter, kernel or container has no such ability
    overrun,         // a completion queue had no room, or would have none

    // Addresses and connections.
    invalid_address,      // malformed, or not one of this host's
    address_unspecified,  // connecting to 0.0.0.0 or ::
    address_bound,        // the object has an address already
    address_not_bound,    // the object has no address yet
    address_in_use,       // another listener has the address and port
    address_exists,       // the same four-tuple is connected
    no_free_port,
    network_unreachable,
    host_unreachable,
    not_connected,
    connection_active,   // the queue pair or connector is in use
    connection_refused,  // no listener, backlog full, or rejected
    connection_aborted,  // the connecting peer gave up, or the transport broke
    disconnected,        // the peer or this side ended the connection

    // The machine.
    no_memory,
    insufficient_resources,  // descriptors, table slots
    device_removed,
    internal_error,
};

inline constexpr Status kLastStatus = Status::internal_error;

constexpr bool ok(Status status) { return status == Status::success; }

// "access_violation". Static storage, terminated.
std::string_view name(Status status);

}  // namespace opennd

// SPDX-License-Identifier: MIT
//
// What the adapter under test lacks by its nature, where no limit of a Query says so. A script that runs a suite on an RDMA device
// names the kind in OPENND_TEST_DEVICE: "roce", "infiniband" or "iwarp"; "rxe" is RoCE and "siw" iWARP with peculiarities of its own.
// Without it nothing is lacking. docs/verbs.md has the reasons.
#pragma once

#include <cstddef>
#include <cstdint>

namespace opennd::support {

enum class Ability : std::uint8_t {
    exact_private_data,  // their length is that of the sender's
    complete_connect,    // Accept waits for the peer's CompleteConnect, and a reply can be refused
    notices_withdrawal,  // the passive side learns before Accept that the request was taken back
    late_receives,       // a message without a receive waits for one
    tells_ends_apart,    // an end in order, a notice, a failure and a death are four things to the peer
    half_close,          // a side that has ended gracefully still receives
    settles_limits,      // the program's read limits are those in force, also 0
    tells_solicited,     // a receive that waits is known to be solicited or not
    all_or_nothing,      // a request that fails for a fault of its memory has moved nothing
    ends_windows_alone,  // an Invalidate succeeds though an access of the peer fails by it
    bounds_of_windows,   // a window ends where it ends
    long_messages,       // 64 MiB and more in one request
    tells_refusals,      // a Send or Write that the peer refuses fails
    tells_refused_reads,
    right_of_reads,            // memory without the right of remote reads is not read
    read_sinks,                // memory that is a read sink alone takes no message
    names_waiting_sends,       // a message that waits when its peer disconnects is told from those behind it
    names_sends_before_binds,  // a message that the device gives up is told from a Bind behind it
    outlives_flush,            // the connection of a queue pair that is flushed stays
    solicited_events,          // a message that is not solicited completes no solicited notification
    growing_shared_queues,     // Modify to more receives
    fails_behind_waiting,  // a request with a fault of its own fails though one before it waits for the peer's receive
    gives_receives_back,   // a shared receive of a message that was cut off makes a result, or takes another message
    many_queues,           // hundreds of queue pairs in a process
    quick_retries,         // a message that waits goes on as soon as there is a receive
    ends_windows_once,     // a second invalidation of a window fails, and does no harm
};

// Null: it has it. Otherwise the reason, for GTEST_SKIP.
const char* lacks(Ability ability);

// The size with which `sent` octets of private data arrive, in a message of the handshake that has room for `room` (exact_private_data).
std::size_t arriving_private_data(std::size_t sent, std::size_t room);

}  // namespace opennd::support

// SPDX-License-Identifier: MIT
// How full the queues of a queue pair are, for people who look into a process. A snapshot: it may be old when it is read.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

#include "model/queue_pair_state.h"
#include "model/traffic.h"
#include "model/work_request.h"

namespace opennd {

struct OldestRequest {
    Operation operation;
    std::uint32_t length_bytes;
    const void* context;  // the program's
    bool started;         // on its way to the peer; otherwise it waits in its queue
    // Since its post; nothing: nobody has looked at a clock then (docs/decisions/0066-ages-without-a-clock.md).
    std::optional<std::chrono::nanoseconds> age = {};
};

// The TCP connection below, as the kernel has it.
struct StreamUse {
    std::uint32_t retransmitted = 0;   // segments, ever
    std::uint32_t timeouts = 0;        // in a row, that have sent the oldest segment again
    std::uint32_t unacknowledged = 0;  // segments on their way
    std::chrono::microseconds round_trip{};
    std::chrono::milliseconds since_sent{}, since_received{};  // the newest segments with data
};

struct QueuePairUse {
    QueuePairState state = QueuePairState::idle;
    // Threads of the program were inside for too long: nothing is told of requests, receives and messages.
    bool busy = false;
    bool polled = false;  // a thread looks for arrivals; otherwise they wake the service thread
    // Initiator requests: posted and not completed, and of these not started; completed, and the results not retrieved.
    std::uint32_t requests = 0, unstarted = 0, unretrieved = 0;
    std::optional<OldestRequest> oldest;
    std::uint32_t requests_completed = 0;  // ever, modulo 2^32: it moves while the queue pair does
    // Receives: posted and taken by no message; taken, and the results not retrieved.
    std::uint32_t receives = 0, receives_unretrieved = 0;
    std::uint32_t receives_completed = 0;  // as requests_completed
    // A message has arrived, and no receive is posted for it; so long.
    bool message_waits = false;
    std::optional<std::chrono::nanoseconds> message_age;
    std::uint32_t messages_waited = 0;  // ever, modulo 2^32: messages that found no receive
    std::optional<StreamUse> stream;    // nothing: no TCP
    std::optional<Traffic> traffic;     // of its connection; nothing: there was none, or the wire does not count
    std::string_view path;  // how its connection's bytes travel, as ConnectionPath::bulk; static text; empty: not told
};

}  // namespace opennd

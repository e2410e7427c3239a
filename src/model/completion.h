// SPDX-License-Identifier: MIT
// The outcome of one request. Contexts are carried by value: a completion outlives its queue pair (ND2-CQ-GET-05).
#pragma once

#include <cstdint>

#include "base/status.h"
#include "model/token.h"
#include "model/work_request.h"

namespace opennd {

struct Completion {
    Status status = Status::success;
    Operation operation = Operation::send;
    bool solicited = false;          // a receive whose Send asked for it, or any failure (ND2-CQ-NTF-03)
    std::uint32_t length_bytes = 0;  // of a transfer that succeeded; otherwise 0
    void* queue_pair_context = nullptr;
    void* request_context = nullptr;
    // Of a receive: what its message took away, a window or a fast registration of this side's; none: nothing
    // (NDK-CQ-POLL-06). Dead by now.
    Token invalidated = Token::none;
    // Of a failure: what the wire calls its cause (provider_code.h). 0: of a success, or canceled.
    std::uint32_t provider_code = 0;
};

// Which results count for an armed queue.
enum class NotifyRule : std::uint8_t {
    level,   // whatever waits, each time it is armed; failed requests are no errors (ND2-CQ-NTF-02, -03)
    events,  // a result makes one event; failed requests satisfy every kind (ND1-CQ-NTF-03, -04)
    fresh,   // what waited at one event makes no other; failed requests are no errors (NDK-CQ-ARM-01 to -06)
};

// What an armed completion queue waits for (ND2-CQ-NTF-03). Ordered: a later one dominates an earlier one.
enum class NotifyKind : std::uint8_t { errors, solicited, any };

}  // namespace opennd

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
    bool solicited = false;          // a receive of a solicited Send, or any failure (ND2-CQ-NTF-03)
    std::uint32_t length_bytes = 0;  // of a transfer that succeeded; otherwise 0
    void* queue_pair_context = nullptr;
    void* request_context = nullptr;
    // The token that a receive's message invalidated, of a window or a fast registration of this side; none: no
    // token. Dead by now (NDK-CQ-POLL-06).
    Token invalidated = Token::none;
    // The wire's number for the cause of a failure (provider_code.h). 0: success, or canceled.
    std::uint32_t provider_code = 0;
};

// Which results count for an armed queue.
enum class NotifyRule : std::uint8_t {
    // a result counts at every arming until it is retrieved; failed requests are no errors (ND2-CQ-NTF-02, -03)
    level,
    events,  // a result makes one event; failed requests satisfy every kind (ND1-CQ-NTF-03, -04)
    fresh,   // a result counts for one event; failed requests are no errors (NDK-CQ-ARM-01 to -06)
};

// The results that an armed completion queue waits for (ND2-CQ-NTF-03). Ordered: a later one dominates an earlier one.
enum class NotifyKind : std::uint8_t { errors, solicited, any };

}  // namespace opennd

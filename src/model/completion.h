// SPDX-License-Identifier: MIT
// The outcome of one request. Contexts are carried by value: a completion outlives its queue pair (ND2-CQ-GET-05).
#pragma once

#include <cstdint>

#include "base/status.h"
#include "model/token.h"
#include "model/work_request.h"

namespace opennd {

// Marks of a result beside its status: a set, in one octet.
enum class Arrival : std::uint8_t {
    none = 0,
    solicited = 1,       // a receive of a solicited message, or any failure (ND2-CQ-NTF-03)
    with_immediate = 2,  // a receive that succeeded, of a message with immediate data
    of_write = 4,        // beside with_immediate: the message was a Write; the receive has no octets of it
};
constexpr Arrival operator|(Arrival a, Arrival b) {
    return static_cast<Arrival>(static_cast<std::uint8_t>(a) | static_cast<std::uint8_t>(b));
}
constexpr bool has(Arrival set, Arrival one) {
    return (static_cast<std::uint8_t>(set) & static_cast<std::uint8_t>(one)) != 0;
}
constexpr Arrival solicited_if(bool solicited) { return static_cast<Arrival>(solicited); }

struct Completion {
    Status status = Status::success;
    Operation operation = Operation::send;
    Arrival arrival = Arrival::none;
    std::uint32_t length_bytes = 0;  // of a transfer that succeeded; otherwise 0
    void* queue_pair_context = nullptr;
    void* request_context = nullptr;
    // The token that a receive's message invalidated, of a window or a fast registration of this side; none: no
    // token. Dead by now (NDK-CQ-POLL-06).
    Token invalidated = Token::none;
    // A failure: the wire's number for its cause (provider_code.h); 0: canceled. Arrival::with_immediate: the immediate
    // data. Otherwise 0.
    std::uint32_t number = 0;

    constexpr bool solicited() const { return has(arrival, Arrival::solicited); }
    constexpr std::uint32_t provider_code() const { return ok(status) ? 0 : number; }
    constexpr std::uint32_t immediate() const { return has(arrival, Arrival::with_immediate) ? number : 0; }
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

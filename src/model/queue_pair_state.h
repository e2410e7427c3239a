// SPDX-License-Identifier: MIT
// The states of a queue pair as a table (docs/requirements/nd2.md). Pure: effects run in the caller, after the
// transition.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace opennd {

enum class QueuePairState : std::uint8_t {
    idle,      // never connected: receives are queued, initiator requests refused (ND2-QP-POST-07)
    attached,  // a connection is being set up or is up: everything is accepted and executed (ND2-QP-POST-08)
    error,     // final: every request completes as canceled
};

enum class QueuePairEvent : std::uint8_t {
    attach,  // Accept or CompleteConnect was accepted
    fail,    // a request failed, or the connection ended
    flush,   // the program flushed (ND2-QP-FLUSH-02: an idle queue pair stays idle)
};

inline constexpr std::size_t kQueuePairStates = 3;
inline constexpr std::size_t kQueuePairEvents = 3;

// The next state, or nothing where the event is not allowed.
constexpr std::optional<QueuePairState> transition(QueuePairState state, QueuePairEvent event) {
    using enum QueuePairState;
    constexpr std::optional<QueuePairState> no;
    constexpr std::array<std::array<std::optional<QueuePairState>, kQueuePairEvents>, kQueuePairStates> table{{
        //            attach    fail   flush
        /* idle     */ {attached, error, idle},
        /* attached */ {no, error, error},
        /* error    */ {no, error, error},
    }};
    return table[static_cast<std::size_t>(state)][static_cast<std::size_t>(event)];
}

constexpr std::string_view name(QueuePairState state) {
    constexpr std::array<std::string_view, kQueuePairStates> names{"idle", "attached", "error"};
    return names[static_cast<std::size_t>(state)];
}

}  // namespace opennd

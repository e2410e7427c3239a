// SPDX-License-Identifier: MIT
// The states of a queue pair as a table (docs/requirements/nd2.md). Pure: effects run in the caller, after the
// transition.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/state_machine.h"

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
    constexpr auto rows = std::to_array<Transition<QueuePairState, QueuePairEvent>>({
        {idle, QueuePairEvent::attach, attached},
        {idle, QueuePairEvent::fail, error},
        {idle, QueuePairEvent::flush, idle},
        {attached, QueuePairEvent::fail, error},
        {attached, QueuePairEvent::flush, error},
        {error, QueuePairEvent::fail, error},
        {error, QueuePairEvent::flush, error},
    });
    return find_next(rows, state, event);
}

constexpr std::string_view name(QueuePairState state) {
    constexpr std::array<std::string_view, kQueuePairStates> names{"idle", "attached", "error"};
    return names[static_cast<std::size_t>(state)];
}

}  // namespace opennd

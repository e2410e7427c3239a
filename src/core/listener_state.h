// SPDX-License-Identifier: MIT
// The states of a listener as tables. Pure: effects run in the caller, after the transition.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/status.h"

namespace opennd {

enum class ListenerState : std::uint8_t {
    idle,       // created, not bound
    bound,      // has its address and port to itself; peers are refused
    listening,  // peers may ask
    closed,     // released
};
inline constexpr std::size_t kListenerStates = 4;

enum class ListenerEvent : std::uint8_t {
    bind,
    listen,
    close,  // last Release (ND2-LIS-REL-01)
};
inline constexpr std::size_t kListenerEvents = 3;

// The next state, or nothing where the event is not allowed.
constexpr std::optional<ListenerState> transition(ListenerState state, ListenerEvent event) {
    using enum ListenerState;
    using Next = std::optional<ListenerState>;
    constexpr Next no;
    constexpr std::array<std::array<Next, kListenerEvents>, kListenerStates> table{{
        //             bind   listen     close
        /* idle      */ {bound, no, closed},
        /* bound     */ {no, listening, closed},
        /* listening */ {no, no, closed},
        /* closed    */ {no, no, no},
    }};
    return table[static_cast<std::size_t>(state)][static_cast<std::size_t>(event)];
}

enum class ListenerMethod : std::uint8_t { bind, listen, get_local_address, get_connection_request };
inline constexpr std::size_t kListenerMethods = 4;

// success where the method may be called, otherwise the status it gives.
constexpr Status check(ListenerMethod method, ListenerState state) {
    constexpr Status S = Status::success;
    constexpr Status bound = Status::address_bound;
    constexpr Status unbound = Status::address_not_bound;
    constexpr Status state_ = Status::invalid_state;
    constexpr std::array<std::array<Status, kListenerStates>, kListenerMethods> table{{
        //                          idle     bound   listening closed
        /* bind                   */ {S, bound, bound, bound},
        /* listen                 */ {unbound, S, state_, state_},
        /* get_local_address      */ {state_, S, S, state_},
        /* get_connection_request */ {state_, state_, S, state_},
    }};
    return table[static_cast<std::size_t>(method)][static_cast<std::size_t>(state)];
}

constexpr std::string_view name(ListenerState state) {
    constexpr std::array<std::string_view, kListenerStates> names{"idle", "bound", "listening", "closed"};
    return names[static_cast<std::size_t>(state)];
}

}  // namespace opennd

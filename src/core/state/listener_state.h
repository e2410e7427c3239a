// SPDX-License-Identifier: MIT
// The states of a listener as tables. Pure: effects run in the caller, after the transition.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/state_machine.h"
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
    refuse,  // the transport cannot listen; the program may try again
    close,   // last Release (ND2-LIS-REL-01)
};
inline constexpr std::size_t kListenerEvents = 4;

// The next state, or nothing where the event is not allowed.
constexpr std::optional<ListenerState> transition(ListenerState state, ListenerEvent event) {
    using enum ListenerState;
    constexpr auto rows = std::to_array<Transition<ListenerState, ListenerEvent>>({
        {idle, ListenerEvent::bind, bound},
        {bound, ListenerEvent::listen, listening},
        {listening, ListenerEvent::refuse, bound},
        {idle, ListenerEvent::close, closed},
        {bound, ListenerEvent::close, closed},
        {listening, ListenerEvent::close, closed},
        {closed, ListenerEvent::close, closed},
    });
    return find_next(rows, state, event);
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

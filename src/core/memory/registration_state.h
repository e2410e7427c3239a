// SPDX-License-Identifier: MIT
// The states of a memory region as a table. Pure: effects run in the caller, after the transition.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/state_machine.h"

namespace opennd {

enum class RegistrationState : std::uint8_t {
    empty,          // no registration
    registering,    // the transport makes the tokens
    registered,     // the tokens are valid
    deregistering,  // the tokens are dead; an access through them may still go on
};
inline constexpr std::size_t kRegistrationStates = 4;

enum class RegistrationEvent : std::uint8_t {
    begin,      // the program registers memory (ND2-MR-REG-06: one registration at a time)
    establish,  // the transport has made the tokens
    fail,       // it could not
    end,        // the program deregisters the memory, or releases the region
    rest,       // nothing touches the memory any more
};
inline constexpr std::size_t kRegistrationEvents = 5;

// The next state, or nothing where the event is not allowed.
constexpr std::optional<RegistrationState> transition(RegistrationState state, RegistrationEvent event) {
    using enum RegistrationState;
    constexpr auto rows = std::to_array<Transition<RegistrationState, RegistrationEvent>>({
        {empty, RegistrationEvent::begin, registering},
        {registering, RegistrationEvent::establish, registered},
        {registering, RegistrationEvent::fail, empty},
        {registered, RegistrationEvent::end, deregistering},
        {deregistering, RegistrationEvent::rest, empty},
    });
    return find_next(rows, state, event);
}

}  // namespace opennd

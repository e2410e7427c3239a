// SPDX-License-Identifier: MIT
// The states of one end of an iWARP connection as a table: I0 to I4 and R1 to R4 of the specification's 3.3 and 3.4. What
// the program sees is core/connector_state.h.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace opennd::iwarp {

enum class ConnectionState : std::uint8_t {
    idle,         // I0: active, nothing begun
    dialing,      // I1: TCP connects
    requesting,   // I2: the Request is out
    replied,      // I3: the Reply is here, the program has not completed. What arrives stays in the socket (IW-CM-10)
    awaiting,     // R1: TCP accepted, the Request is not whole. The program knows nothing of it (IW-CM-15)
    requested,    // R2: the program has the request
    accepting,    // R3: the Reply is out, the peer's first message is not here. Nothing may be sent (IW-CM-07)
    established,  // I4, R4
    ended,        // I5, I6, R5, R6
};
inline constexpr std::size_t kConnectionStates = 9;

enum class ConnectionEvent : std::uint8_t {
    dial,       // the program connects, or a second attempt with revision 1 begins (IW-CM-17)
    connected,  // TCP is
    reply,      // one that accepts, and whose terms suit
    complete,   // the program completes
    request,    // a valid one
    accept,     // the program accepts
    open,       // the peer's first message, or none is owed
    end,        // for whatever reason
};
inline constexpr std::size_t kConnectionEvents = 8;

// The next state, or nothing where the event is not allowed.
constexpr std::optional<ConnectionState> transition(ConnectionState state, ConnectionEvent event) {
    using enum ConnectionState;
    constexpr std::optional<ConnectionState> no;
    constexpr std::array<std::array<std::optional<ConnectionState>, kConnectionEvents>, kConnectionStates> table{{
        //                dial     connected   reply    complete     request    accept     open         end
        /* idle        */ {dialing, no, no, no, no, no, no, ended},
        /* dialing     */ {no, requesting, no, no, no, no, no, ended},
        /* requesting  */ {dialing, no, replied, no, no, no, no, ended},
        /* replied     */ {no, no, no, established, no, no, no, ended},
        /* awaiting    */ {no, no, no, no, requested, no, no, ended},
        /* requested   */ {no, no, no, no, no, accepting, no, ended},
        /* accepting   */ {no, no, no, no, no, no, established, ended},
        /* established */ {no, no, no, no, no, no, no, ended},
        /* ended       */ {no, no, no, no, no, no, no, ended},
    }};
    return table[static_cast<std::size_t>(state)][static_cast<std::size_t>(event)];
}

}  // namespace opennd::iwarp

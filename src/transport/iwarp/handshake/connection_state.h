// SPDX-License-Identifier: MIT
// The states of one end of an iWARP connection as a table (IW-CM-05 to -15). core/connector_state.h has the states that the
// program sees.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace opennd::iwarp {

enum class ConnectionState : std::uint8_t {
    idle,         // active, not begun
    dialing,      // active: TCP connects
    requesting,   // active: the Request is out
    replied,      // active: the Reply is here, the program has not completed. Arrivals stay in the socket (IW-CM-10)
    awaiting,     // passive: TCP accepted, the Request is not whole. The program does not see it (IW-CM-15)
    requested,    // passive: the program has the request
    accepting,    // passive: the Reply is out, the peer's first message is not here. No octet may be sent (IW-CM-07)
    established,  // both
    ended,        // both
};
inline constexpr std::size_t kConnectionStates = 9;

enum class ConnectionEvent : std::uint8_t {
    dial,       // the program connects, or a second attempt with revision 1 begins (IW-CM-17)
    connected,  // TCP is connected
    reply,      // a Reply that accepts, with terms that suit
    complete,   // the program completes
    request,    // a valid Request
    accept,     // the program accepts
    open,       // the peer's first message, or none is owed
    end,        // for any reason
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

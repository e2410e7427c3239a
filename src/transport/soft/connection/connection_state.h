// SPDX-License-Identifier: MIT
// The states of one end of a connection as tables, for every wire. The program's view is core/state/connector_state.h.
//
// Over iWARP the states are I0 to I4 and R1 to R4 of the specification. A wire without a connection of its own to dial goes
// from idle to requesting.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/state_machine.h"

namespace opennd::soft {

enum class ConnectionState : std::uint8_t {
    idle,        // I0: active, nothing begun, or a listener without room is to be asked again
    dialing,     // I1: TCP connects
    requesting,  // I2: the request is out
    replied,  // I3: the peer has accepted, the program has not completed. Over TCP arrivals stay in the socket (IW-CM-10)
    awaiting,     // R1: a peer has connected, its request is not here. The program knows nothing of it (IW-CM-15)
    requested,    // R2: the program has the request
    accepting,    // R3: the reply is out, the peer has not completed. Over TCP nothing may be sent (IW-CM-07)
    established,  // I4, R4
    ended,        // I5, I6, R5, R6
};
inline constexpr std::size_t kConnectionStates = 9;

enum class ConnectionEvent : std::uint8_t {
    dial,      // TCP begins to connect, for the program or for a second attempt with revision 1 (IW-CM-17)
    ask,       // the request is sent
    defer,     // the listener has no room for the request, which is sent again later (ND2-CON-CONN-07)
    reply,     // the peer accepts, and its terms suit
    complete,  // the program completes
    request,   // a valid one has come
    accept,    // the program accepts
    open,      // the peer has completed, or owes no word of that
    end,       // for any reason
};
inline constexpr std::size_t kConnectionEvents = 9;

constexpr std::optional<ConnectionState> transition(ConnectionState state, ConnectionEvent event) {
    using enum ConnectionState;
    constexpr auto rows = std::to_array<Transition<ConnectionState, ConnectionEvent>>({
        {idle, ConnectionEvent::dial, dialing},
        {idle, ConnectionEvent::ask, requesting},
        {dialing, ConnectionEvent::ask, requesting},
        {requesting, ConnectionEvent::dial, dialing},
        {requesting, ConnectionEvent::defer, idle},
        {requesting, ConnectionEvent::reply, replied},
        {replied, ConnectionEvent::complete, established},
        {awaiting, ConnectionEvent::request, requested},
        {requested, ConnectionEvent::accept, accepting},
        {accepting, ConnectionEvent::open, established},
        {idle, ConnectionEvent::end, ended},
        {dialing, ConnectionEvent::end, ended},
        {requesting, ConnectionEvent::end, ended},
        {replied, ConnectionEvent::end, ended},
        {awaiting, ConnectionEvent::end, ended},
        {requested, ConnectionEvent::end, ended},
        {accepting, ConnectionEvent::end, ended},
        {established, ConnectionEvent::end, ended},
    });
    return find_next(rows, state, event);
}

// The progress of the end that both sides want (NDK-CON-DISC-01 to -04), while the connection is established.
enum class GracefulEnd : std::uint8_t {
    none,      // this side has not begun it
    draining,  // requests of this side are still on their way
    told,      // the peer knows that this side sends no more
    over,      // the outcome is known
};
inline constexpr std::size_t kGracefulEnds = 4;

enum class GracefulEvent : std::uint8_t {
    begin,   // the program asks for it
    tell,    // nothing is outstanding, and the peer is told
    finish,  // both sides have finished, the patience is over, or the connection has ended otherwise
};
inline constexpr std::size_t kGracefulEvents = 3;

constexpr std::optional<GracefulEnd> transition(GracefulEnd state, GracefulEvent event) {
    using enum GracefulEnd;
    constexpr auto rows = std::to_array<Transition<GracefulEnd, GracefulEvent>>({
        {none, GracefulEvent::begin, draining},
        {draining, GracefulEvent::tell, told},
        {draining, GracefulEvent::finish, over},
        {told, GracefulEvent::finish, over},
    });
    return find_next(rows, state, event);
}

}  // namespace opennd::soft

// SPDX-License-Identifier: MIT
// The states of a connector as tables (ND2-CON-STATE-01). Pure: effects run in the caller, after
// the transition. connector.h is the caller.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/state_machine.h"
#include "base/status.h"

namespace opennd {

enum class ConnectorState : std::uint8_t {
    idle,        // created, not bound
    bound,       // has a local address; also after a Connect that may be tried again (ND2-CON-CONN-05)
    connecting,  // Connect pending
    replied,     // the peer accepted; CompleteConnect or Reject is next, without time limit (ND2-CON-CMPL-03)
    completing,  // CompleteConnect pending; initiator requests are accepted (ND2-QP-POST-08)
    waiting,     // given to GetConnectionRequest
    requested,   // has a peer's request; Accept or Reject is next, without time limit (ND2-LIS-REQ-08)
    accepting,   // Accept pending; initiator requests are accepted (ND2-QP-POST-08)
    connected,
    peer_gone,      // was connected, ended by the peer or by a failure; Disconnect still to be called
    disconnecting,  // Disconnect in progress
    done,           // used up: disconnected, rejected, cancelled, failed or released
};
inline constexpr std::size_t kConnectorStates = 12;

enum class ConnectorEvent : std::uint8_t {
    bind,
    connect,
    reply,            // the peer accepted
    refuse,           // Connect failed in a way that may be tried again
    fail,             // Connect, CompleteConnect or Accept failed for good
    complete,         // CompleteConnect called
    wait,             // GetConnectionRequest called with it
    stop_waiting,     // that was cancelled
    request,          // a peer's request was assigned
    accept,           // Accept called
    establish,        // CompleteConnect or Accept succeeded
    reject,           // Reject called
    lose_peer,        // the peer disconnected, or the connection failed
    disconnect,       // Disconnect called
    end,              // Disconnect has run
    cancel,           // CancelOverlappedRequests (ND2-OVL-14)
    start_over,       // Connect failed or was cancelled, where it had also bound (ND1-CN-CONN-14)
    lose_queue_pair,  // its queue pair was released (ND2-QP-REL-01)
    close,            // last Release (ND2-CON-REL-01)
};
inline constexpr std::size_t kConnectorEvents = 19;

// The next state, or nothing where the event cannot happen, or comes too late to matter.
constexpr std::optional<ConnectorState> transition(ConnectorState state, ConnectorEvent event) {
    using enum ConnectorState;
    constexpr auto rows = std::to_array<Transition<ConnectorState, ConnectorEvent>>({
        {idle, ConnectorEvent::bind, bound},
        {bound, ConnectorEvent::connect, connecting},
        {connecting, ConnectorEvent::reply, replied},
        {connecting, ConnectorEvent::refuse, bound},
        {connecting, ConnectorEvent::fail, done},
        {completing, ConnectorEvent::fail, done},
        {accepting, ConnectorEvent::fail, done},
        {replied, ConnectorEvent::complete, completing},
        {idle, ConnectorEvent::wait, waiting},
        {waiting, ConnectorEvent::stop_waiting, idle},
        {waiting, ConnectorEvent::request, requested},
        {requested, ConnectorEvent::accept, accepting},
        {completing, ConnectorEvent::establish, connected},
        {accepting, ConnectorEvent::establish, connected},
        {replied, ConnectorEvent::reject, done},
        {requested, ConnectorEvent::reject, done},
        {connected, ConnectorEvent::lose_peer, peer_gone},
        {completing, ConnectorEvent::disconnect, disconnecting},
        {accepting, ConnectorEvent::disconnect, disconnecting},
        {connected, ConnectorEvent::disconnect, disconnecting},
        {peer_gone, ConnectorEvent::disconnect, disconnecting},
        {disconnecting, ConnectorEvent::end, done},
        {connecting, ConnectorEvent::cancel, done},
        {completing, ConnectorEvent::cancel, done},
        {accepting, ConnectorEvent::cancel, done},
        {bound, ConnectorEvent::start_over, idle},
        {connecting, ConnectorEvent::start_over, idle},
        {connecting, ConnectorEvent::lose_queue_pair, done},
        {replied, ConnectorEvent::lose_queue_pair, done},
        {completing, ConnectorEvent::lose_queue_pair, done},
        {accepting, ConnectorEvent::lose_queue_pair, done},
        {connected, ConnectorEvent::lose_queue_pair, done},
        {idle, ConnectorEvent::close, done},
        {bound, ConnectorEvent::close, done},
        {connecting, ConnectorEvent::close, done},
        {replied, ConnectorEvent::close, done},
        {completing, ConnectorEvent::close, done},
        {waiting, ConnectorEvent::close, done},
        {requested, ConnectorEvent::close, done},
        {accepting, ConnectorEvent::close, done},
        {connected, ConnectorEvent::close, done},
        {peer_gone, ConnectorEvent::close, done},
        {disconnecting, ConnectorEvent::close, done},
        {done, ConnectorEvent::close, done},
    });
    return find_next(rows, state, event);
}

enum class ConnectorMethod : std::uint8_t {
    bind,
    connect,
    complete_connect,
    accept,
    reject,
    get_read_limits,
    get_private_data,
    get_local_address,
    get_peer_address,
    notify_disconnect,
    disconnect,
    get_connection_request,  // as its argument (ND2-LIS-REQ-02)
};
inline constexpr std::size_t kConnectorMethods = 12;

// Facts about the past that the state does not hold, each independent of the others.
struct ConnectorHistory {
    bool refused_with_data = false;  // the last Connect was rejected, and private data came with it (ND2-CON-PD-04)
    bool named_peer = false;         // a peer was asked, or asked
    bool was_connected = false;
    bool accepted = false;   // Accept was called
    bool rejected = false;   // Reject was called
    bool abandoned = false;  // the peer took its request back after it was assigned (ND2-LIS-REQ-06)
};

// success where the method may be called, otherwise the status it gives.
constexpr Status check(ConnectorMethod method, ConnectorState state, ConnectorHistory history = {}) {
    using Row = std::array<Status, kConnectorStates>;
    constexpr Status S = Status::success;
    constexpr Status active = Status::connection_active;
    constexpr Status bound = Status::address_bound;
    constexpr Status unbound = Status::address_not_bound;
    constexpr Status invalid = Status::not_connected;
    constexpr Status state_ = Status::invalid_state;
    constexpr std::array<Row, kConnectorMethods> table{{
        // idle, bound, connecting, replied, completing, waiting, requested, accepting, connected, peer_gone,
        // disconnecting, done
        /* bind */
        {S, bound, bound, bound, bound, active, bound, bound, bound, bound, bound, bound},
        /* connect */
        {unbound, S, active, active, active, active, active, active, active, active, active, state_},
        /* complete_connect */
        {invalid, invalid, invalid, S, invalid, invalid, invalid, invalid, invalid, invalid, invalid, invalid},
        /* accept */
        {invalid, invalid, active, active, active, invalid, S, active, active, active, active, state_},
        /* reject */
        {state_, state_, state_, S, state_, state_, S, state_, state_, state_, state_, state_},
        /* get_read_limits */
        {invalid, invalid, invalid, S, S, invalid, S, S, S, S, S, invalid},
        /* get_private_data */
        {invalid, invalid, invalid, S, S, invalid, S, S, S, S, S, invalid},
        /* get_local_address */
        {invalid, S, S, S, S, invalid, S, S, S, S, S, S},
        /* get_peer_address */
        {invalid, invalid, S, S, S, invalid, S, S, S, S, S, invalid},
        /* notify_disconnect */
        {invalid, invalid, invalid, invalid, S, invalid, invalid, S, S, S, S, invalid},
        /* disconnect */
        {invalid, invalid, invalid, invalid, S, invalid, invalid, S, S, S, state_, invalid},
        /* get_connection_request */
        {S, active, active, active, active, active, active, active, active, active, active, active},
    }};

    using Method = ConnectorMethod;
    const bool done = state == ConnectorState::done;
    if (history.abandoned && state == ConnectorState::requested &&
        (method == Method::reject || method == Method::get_private_data))
        return Status::connection_aborted;
    const bool free = state == ConnectorState::bound || state == ConnectorState::idle;
    if (method == Method::get_private_data && free && history.refused_with_data) return S;
    if (method == Method::get_peer_address && done && history.named_peer) return S;
    if (method == Method::notify_disconnect && done && history.was_connected) return S;
    return table[static_cast<std::size_t>(method)][static_cast<std::size_t>(state)];
}

constexpr std::string_view name(ConnectorState state) {
    constexpr std::array<std::string_view, kConnectorStates> names{
        "idle",      "bound",     "connecting", "replied",   "completing",    "waiting",
        "requested", "accepting", "connected",  "peer gone", "disconnecting", "done"};
    return names[static_cast<std::size_t>(state)];
}

}  // namespace opennd

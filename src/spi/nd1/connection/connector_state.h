// SPDX-License-Identifier: MIT
// The states in which a method of INDConnector may be called, as a table over core's states; bound is the moment before
// connecting.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/status.h"
#include "core/connection/connector.h"

namespace opennd {

enum class Nd1ConnectorMethod : std::uint8_t {
    create_endpoint,
    connect,
    complete_connect,
    accept,
    reject,
    get_connection_data,
    get_local_address,
    get_peer_address,
    notify_disconnect,
    disconnect,
    get_connection_request,  // as its argument
};
inline constexpr std::size_t kNd1ConnectorMethods = 11;

// success where the method may be called, otherwise the status it gives.
constexpr Status check(Nd1ConnectorMethod method, const Connector::View& view) {
    using Row = std::array<Status, kConnectorStates>;
    constexpr Status S = Status::success;
    constexpr Status act = Status::connection_active;
    constexpr Status inv = Status::not_connected;
    constexpr std::array<Row, kNd1ConnectorMethods> table{{
        // idle, bound, connecting, replied, completing, waiting, requested, accepting, connected, peer_gone,
        // disconnecting, done
        /* create_endpoint */
        {S, S, S, S, S, S, S, S, S, S, S, inv},
        /* connect */
        {S, act, act, act, act, act, act, act, act, act, act, inv},
        /* complete_connect */
        {inv, inv, inv, S, inv, inv, inv, inv, inv, inv, inv, inv},
        /* accept */
        {inv, inv, inv, inv, inv, inv, S, act, act, act, act, inv},
        /* reject */
        {inv, inv, inv, S, inv, inv, S, inv, inv, inv, inv, inv},
        /* get_connection_data */
        {inv, inv, inv, S, S, inv, S, S, S, S, inv, inv},
        /* get_local_address */
        {inv, inv, S, S, S, inv, S, S, S, S, S, inv},
        /* get_peer_address */
        {inv, inv, inv, S, S, inv, S, S, S, S, S, inv},
        /* notify_disconnect */
        {inv, inv, inv, inv, inv, inv, inv, inv, S, S, S, inv},
        /* disconnect */
        {inv, inv, inv, inv, inv, inv, inv, inv, S, S, inv, inv},
        /* get_connection_request */
        {S, act, act, act, act, act, act, act, act, act, act, inv},
    }};

    using Method = Nd1ConnectorMethod;
    const ConnectorState state = view.state;
    const bool answer_due = state == ConnectorState::requested || state == ConnectorState::replied;
    const Status status = table[static_cast<std::size_t>(method)][static_cast<std::size_t>(state)];
    if (view.history.abandoned && answer_due && ok(status)) {  // the peer gave up
        const bool knows_itself = method == Method::get_local_address && state == ConnectorState::replied;
        return knows_itself || method == Method::create_endpoint ? status : Status::connection_aborted;
    }
    if (method == Method::get_connection_data && state == ConnectorState::idle && view.history.refused_with_data)
        return S;  // ND1-CN-DATA-05
    if (method == Method::notify_disconnect && state == ConnectorState::done && view.history.was_connected) return S;
    return status;
}

}  // namespace opennd

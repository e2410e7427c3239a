// SPDX-License-Identifier: MIT
// The states of one end of a connection over an RDMA device as tables: which event of rdma_cm means what in which state, with a
// column for InfiniBand and RoCE and one for iWARP, and what follows. The program's view is core/state/connector_state.h.
#pragma once

#include <rdma/rdma_cma.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/state_machine.h"

namespace opennd::verbs {

enum class CmState : std::uint8_t {
    finding_address,  // active: the neighbour's address
    finding_route,    // active: the path to it
    requesting,       // active: rdma_connect, which dials in the call on iWARP; then the request is out
    replied,          // active: the peer has accepted, the program has not completed. On iWARP the stream is up
    requested,        // passive: the program has the request
    accepting,  // passive: the reply is out. On InfiniBand a message sent now is lost: initiator requests are held
    established,
    peer_told,  // InfiniBand: the peer has told its end and waits for that of this side, which goes on (NDK-CON-EVT-03)
    draining,   // finish(): requests of this side are still on their way
    answering,  // InfiniBand: the same, and the peer has told its end
    told,       // finish(): the peer knows, and has not answered
    ended,
};
inline constexpr std::size_t kCmStates = 12;

enum class CmInput : std::uint8_t {
    address,    // it is found
    route,      // it is found
    reply,      // the peer accepts
    complete,   // the program completes
    accept,     // the program accepts
    open,       // the peer has completed
    fail,       // active: there is no connection
    give_up,    // the peer gave up before the connection was up
    peer_end,   // the peer has ended the connection
    hear_end,   // InfiniBand: it has, and this side goes on
    begin_end,  // the program asks for an end that both sides want
    tell,       // nothing is outstanding, and the peer is told
    remove,     // the device is gone
    end,        // this side's, for any reason
};
inline constexpr std::size_t kConnectionEvents = 14;

constexpr std::optional<CmState> transition(CmState state, CmInput event) {
    using enum CmState;
    using Event = CmInput;
    if (state == ended) return std::nullopt;
    if (event == Event::end || event == Event::remove) return ended;
    constexpr auto rows = std::to_array<Transition<CmState, CmInput>>({
        {finding_address, Event::address, finding_route},
        {finding_route, Event::route, requesting},
        {requesting, Event::reply, replied},
        {replied, Event::complete, established},
        {requested, Event::accept, accepting},
        {accepting, Event::open, established},
        {finding_address, Event::fail, ended},
        {finding_route, Event::fail, ended},
        {requesting, Event::fail, ended},
        {replied, Event::give_up, ended},
        {requested, Event::give_up, ended},
        {accepting, Event::give_up, ended},
        {accepting, Event::peer_end, ended},  // it had completed before
        {established, Event::peer_end, ended},
        {draining, Event::peer_end, ended},
        {told, Event::peer_end, ended},
        {established, Event::hear_end, peer_told},
        {draining, Event::hear_end, answering},
        {peer_told, Event::begin_end, answering},
        {established, Event::begin_end, draining},
        {draining, Event::tell, told},
        {answering, Event::tell, ended},
    });
    return find_next(rows, state, event);
}

// Returns true if the queue pair carries requests.
constexpr bool is_up(CmState state) {
    using enum CmState;
    return state == accepting || state == established || state == peer_told || state == draining ||
           state == answering || state == told;
}

// Returns true if finish() was called, and its outcome is not known.
constexpr bool ends_gracefully(CmState state) {
    using enum CmState;
    return state == draining || state == answering || state == told;
}

enum class Fabric : std::uint8_t { infiniband, iwarp };  // RoCE is the first

// The meaning of an event of rdma_cm in `state`; nothing: it is of no concern there, or too late. requested has no row: rdma_cm tells
// an id nothing before rdma_accept.
constexpr std::optional<CmInput> meaning(CmState state, rdma_cm_event_type type, Fabric fabric) {
    using enum CmState;
    using Event = CmInput;
    struct Row {
        CmState state;
        rdma_cm_event_type type;
        std::optional<CmInput> on_infiniband, on_iwarp;
    };
    if (state == ended) return std::nullopt;
    // A bond has gone over to another link, with another hardware address: packets that were lost are sent again on it, if the device
    // can, or the time of the path runs out.
    if (type == RDMA_CM_EVENT_ADDR_CHANGE) return std::nullopt;
    if (type == RDMA_CM_EVENT_DEVICE_REMOVAL) return Event::remove;
    constexpr std::nullopt_t nothing = std::nullopt;
    constexpr auto rows = std::to_array<Row>({
        {finding_address, RDMA_CM_EVENT_ADDR_RESOLVED, Event::address, Event::address},
        {finding_address, RDMA_CM_EVENT_ADDR_ERROR, Event::fail, Event::fail},
        {finding_route, RDMA_CM_EVENT_ROUTE_RESOLVED, Event::route, Event::route},
        {finding_route, RDMA_CM_EVENT_ROUTE_ERROR, Event::fail, Event::fail},
        {requesting, RDMA_CM_EVENT_CONNECT_RESPONSE, Event::reply, nothing},
        {requesting, RDMA_CM_EVENT_ESTABLISHED, nothing, Event::reply},  // ND2-CON-CMPL-01 is OpenND's alone there
        {requesting, RDMA_CM_EVENT_REJECTED, Event::fail, Event::fail},
        {requesting, RDMA_CM_EVENT_UNREACHABLE, Event::fail, Event::fail},
        {requesting, RDMA_CM_EVENT_CONNECT_ERROR, Event::fail, Event::fail},
        {requesting, RDMA_CM_EVENT_DISCONNECTED, Event::fail, Event::fail},
        {replied, RDMA_CM_EVENT_REJECTED, Event::give_up, Event::give_up},
        {replied, RDMA_CM_EVENT_UNREACHABLE, Event::give_up, Event::give_up},
        {replied, RDMA_CM_EVENT_CONNECT_ERROR, Event::give_up, Event::give_up},
        {replied, RDMA_CM_EVENT_DISCONNECTED, Event::give_up, Event::give_up},
        {accepting, RDMA_CM_EVENT_ESTABLISHED, Event::open, Event::open},
        {accepting, RDMA_CM_EVENT_REJECTED, Event::give_up, Event::give_up},
        {accepting, RDMA_CM_EVENT_UNREACHABLE, Event::give_up, Event::give_up},
        {accepting, RDMA_CM_EVENT_CONNECT_ERROR, Event::give_up, Event::give_up},
        {accepting, RDMA_CM_EVENT_DISCONNECTED, Event::peer_end, Event::peer_end},
        {established, RDMA_CM_EVENT_DISCONNECTED, Event::hear_end, Event::peer_end},
        {draining, RDMA_CM_EVENT_DISCONNECTED, Event::hear_end, Event::peer_end},
        {told, RDMA_CM_EVENT_DISCONNECTED, Event::peer_end, Event::peer_end},
    });
    for (const Row& row : rows)
        if (row.state == state && row.type == type) return fabric == Fabric::iwarp ? row.on_iwarp : row.on_infiniband;
    return std::nullopt;
}

}  // namespace opennd::verbs

// SPDX-License-Identifier: MIT
// The stages of an NDK connector as a table. core/state/connector_state.h has the states of the connection that it makes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/state_machine.h"

namespace opennd {

enum class ConnectorStage : std::uint8_t {
    idle,        // new, or after a NdkConnect that failed
    connecting,  // NdkConnect pends
    replied,     // NdkCompleteConnect or NdkReject is next
    completing,  // NdkCompleteConnect pends
    incoming,    // from a listener: NdkAccept or NdkReject is next
    accepting,   // NdkAccept pends
    connected,
    noticed,        // connected, and the peer has asked to end it
    disconnecting,  // NdkDisconnect pends
    expired,        // replied, and not completed in time (NDK-CON-CC-02)
    over,
};
inline constexpr std::size_t kConnectorStages = 11;

enum class StageEvent : std::uint8_t {
    connect,     // NdkConnect
    reply,       // the peer accepted
    complete,    // NdkCompleteConnect
    expire,      // it was not called in time
    accept,      // NdkAccept
    establish,   // NdkCompleteConnect or NdkAccept succeeded
    fail,        // NdkConnect, NdkCompleteConnect or NdkAccept failed
    reject,      // NdkReject
    notice,      // the peer asks to end the connection
    disconnect,  // NdkDisconnect
    withdraw,    // the call of NdkAccept, or of NdkDisconnect after a notice, is refused and leaves no trace
    end,         // the connection, or the request or reply that nobody answers, is over
};
inline constexpr std::size_t kStageEvents = 12;

// The next stage, or nothing where the event is not allowed.
constexpr std::optional<ConnectorStage> transition(ConnectorStage stage, StageEvent event) {
    using enum ConnectorStage;
    constexpr auto rows = std::to_array<Transition<ConnectorStage, StageEvent>>({
        {idle, StageEvent::connect, connecting},
        {connecting, StageEvent::reply, replied},
        {connecting, StageEvent::fail, idle},
        {replied, StageEvent::complete, completing},
        {replied, StageEvent::expire, expired},
        {replied, StageEvent::reject, over},
        {replied, StageEvent::end, over},
        {completing, StageEvent::establish, connected},
        {completing, StageEvent::fail, over},
        {incoming, StageEvent::accept, accepting},
        {incoming, StageEvent::reject, over},
        {incoming, StageEvent::end, over},
        {accepting, StageEvent::establish, connected},
        {accepting, StageEvent::fail, over},
        {accepting, StageEvent::withdraw, incoming},
        {connected, StageEvent::notice, noticed},
        {connected, StageEvent::disconnect, disconnecting},
        {connected, StageEvent::end, over},
        {noticed, StageEvent::disconnect, disconnecting},
        {noticed, StageEvent::end, over},
        {disconnecting, StageEvent::withdraw, noticed},
        {disconnecting, StageEvent::end, over},
    });
    return find_next(rows, stage, event);
}

constexpr std::string_view name(ConnectorStage stage) {
    constexpr std::array<std::string_view, kConnectorStages> names{"idle",          "connecting",
                                                                   "replied",       "completing",
                                                                   "incoming",      "accepting",
                                                                   "connected",     "connected, and the peer leaves",
                                                                   "disconnecting", "given up for lack of an answer",
                                                                   "used up"};
    return names[static_cast<std::size_t>(stage)];
}

}  // namespace opennd

// SPDX-License-Identifier: MIT
// The stages of an NDK listener as a table. core/state/listener_state.h has the states of the core listeners behind it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/state_machine.h"

namespace opennd {

enum class ListenerStage : std::uint8_t {
    idle,     // new, or after a NdkListen that failed
    opening,  // NdkListen runs
    listening,
};
inline constexpr std::size_t kListenerStages = 3;

enum class ListenerStageEvent : std::uint8_t {
    listen,   // NdkListen (NDK-GEN-17: one at a time, and one success)
    succeed,  // all doors are open
    fail,     // none is
};
inline constexpr std::size_t kListenerStageEvents = 3;

// The next stage, or nothing where the event is not allowed.
constexpr std::optional<ListenerStage> transition(ListenerStage stage, ListenerStageEvent event) {
    using enum ListenerStage;
    constexpr auto rows = std::to_array<Transition<ListenerStage, ListenerStageEvent>>({
        {idle, ListenerStageEvent::listen, opening},
        {opening, ListenerStageEvent::succeed, listening},
        {opening, ListenerStageEvent::fail, idle},
    });
    return find_next(rows, stage, event);
}

}  // namespace opennd

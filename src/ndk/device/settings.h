// SPDX-License-Identifier: MIT
// An administrator's settings for NDK adapters: read from the environment at each open.
#pragma once

#include <chrono>
#include <string_view>

namespace opennd {

struct NdkSettings {
    // How long each step of setting up a connection may take the other side, and NdkCompleteConnect this one's consumer.
    std::chrono::milliseconds set_up{15'000};  // OPENND_NDK_CONNECT_MS (NDK-CON-CONN-06, NDK-CON-CC-02)
    // How long NdkDisconnect waits for the peer's.
    std::chrono::milliseconds answer{5'000};  // OPENND_NDK_DISCONNECT_MS (NDK-CON-DISC-04)
    // When the close of an adapter first logs the objects it waits for (NDK-GEN-16).
    std::chrono::milliseconds naming{5'000};  // OPENND_NDK_CLOSE_MS
    // How long an instance goes on when NDK is disabled at its interface (NDK-STAT-21).
    std::chrono::milliseconds grace{5'000};  // OPENND_NDK_GRACE_MS

    // A misspelt setting is logged, and its default stands.
    static NdkSettings from_environment();
    // NDK cannot be enabled at the interface with this name, which stands in OPENND_NDK_DISABLED (NDK-STAT-20, -22).
    static bool disable(std::string_view interface);
};

}  // namespace opennd

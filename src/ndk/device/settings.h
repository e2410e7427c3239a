// SPDX-License-Identifier: MIT
// An administrator's settings of NDK adapters. An adapter keeps those of its opening.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "model/interface.h"

namespace opennd {

struct NdkSettings {
    // How long each step of setting up a connection may take the other side, and NdkCompleteConnect this one's consumer
    // (NDK-CON-CONN-06, NDK-CON-CC-02).
    std::chrono::milliseconds set_up{15'000};
    // How long NdkDisconnect waits for the peer's (NDK-CON-DISC-04).
    std::chrono::milliseconds answer{5'000};
    // When the close of an adapter first logs the objects it waits for (NDK-GEN-16).
    std::chrono::milliseconds naming{5'000};
    // How long an instance goes on when NDK is disabled at its interface (NDK-STAT-21).
    std::chrono::milliseconds grace{5'000};
    // Devices beside the interfaces, with all the addresses that they shall have (NDK-HOST-05).
    std::vector<Interface> configured;
    // Names of interfaces where NDK cannot be enabled (NDK-STAT-20, -22).
    std::vector<std::string> disabled;

    bool disable(std::string_view interface) const;
};

// The names of a list "lo, eth0".
std::vector<std::string> read_names(std::string_view list);

}  // namespace opennd

// SPDX-License-Identifier: MIT
// An administrator's settings of the software RNIC.
#pragma once

#include <chrono>
#include <optional>

#include "platform/memory/long_copy.h"

namespace opennd::soft {

struct Settings {
    // How long a message waits for a receive to be posted (ND2-QP-SEND-05).
    std::chrono::milliseconds no_receive_time{1000};
    // How long copies are made; none: as copy_choice() says. Of the process.
    std::optional<CopyWay> copies = {};
    // Whether a thread that expects work looks for it before it sleeps; none: as look_choice() says. Of the process.
    std::optional<bool> looks = {};
};

}  // namespace opennd::soft

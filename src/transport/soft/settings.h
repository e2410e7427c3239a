// SPDX-License-Identifier: MIT
// An administrator's settings of the software RNIC.
#pragma once

#include <chrono>

namespace opennd::soft {

struct Settings {
    // How long a message waits for a receive to be posted (ND2-QP-SEND-05).
    std::chrono::milliseconds no_receive_time{1000};
};

}  // namespace opennd::soft

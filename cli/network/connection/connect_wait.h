// SPDX-License-Identifier: MIT
//
// ConnectWait: the patience of a client with a server that does not answer at once.
#pragma once

#include "network/socket_address.h"

#include <chrono>

namespace nd {

class ConnectWait {
public:
    // From now on. 0 seconds: no limit of this command.
    explicit ConnectWait(double timeout_seconds = 0);

    // Called while the server has not answered: tells so once, after a second. Throws Interrupted, or std::runtime_error
    // when the time is over.
    void look_around(const SocketAddress& server);

    // The server measures for another client: tells so once, and waits a while before the next attempt. Throws likewise.
    void wait_for_turn(const SocketAddress& server);

private:
    using Clock = std::chrono::steady_clock;
    void end_in_time(const SocketAddress& server) const;

    const Clock::time_point start_ = Clock::now();
    const double timeout_seconds_;
    bool told_ = false, told_busy_ = false;
};

}  // namespace nd

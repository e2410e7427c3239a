// SPDX-License-Identifier: MIT
//
// Answers HTTP requests for /metrics, and nothing else (docs/decisions/0061).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "network/socket_address.h"

struct MHD_Connection;
struct MHD_Daemon;

namespace nd {

// A thread of its own serves all clients. It begins with the construction and ends with the destruction.
class MetricsServer {
public:
    // Called for each answer on the server's thread, one at a time. What it throws becomes an answer 500.
    using Text = std::function<std::string()>;

    // Throws std::runtime_error where it cannot have the address; port 0 chooses a free one.
    MetricsServer(const SocketAddress& address, Text text);
    MetricsServer(const MetricsServer&) = delete;
    MetricsServer& operator=(const MetricsServer&) = delete;

    SocketAddress address() const { return address_; }

private:
    struct Stop {
        void operator()(MHD_Daemon* daemon) const;
    };

    // For the HTTP library: 1 where an answer is queued, 0 to hang up.
    int answer(MHD_Connection* connection, const std::string& path, const std::string& method) noexcept;

    const Text text_;
    SocketAddress address_;
    std::unique_ptr<MHD_Daemon, Stop> daemon_;  // last: it uses the others
};

}  // namespace nd

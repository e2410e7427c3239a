// SPDX-License-Identifier: MIT
//
// Answers HTTP requests for /metrics, and nothing else (docs/decisions/0061).
#pragma once

#include <chrono>
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
    // Called on the server's thread, one at a time; requests of the second after it get the same text. An exception of it becomes an answer 500.
    using Text = std::function<std::string()>;

    // Throws std::runtime_error where it cannot have the address; port 0 chooses a free one.
    MetricsServer(const SocketAddress& address, Text text);
    ~MetricsServer();
    MetricsServer(const MetricsServer&) = delete;
    MetricsServer& operator=(const MetricsServer&) = delete;

    SocketAddress address() const { return address_; }

    // Hangs up on clients with a request that has taken too long, however busy they look. Called from time to time by any thread.
    void hang_up_on_slow_clients();

private:
    using Clock = std::chrono::steady_clock;
    class Clients;
    struct Stop {
        void operator()(MHD_Daemon* daemon) const;
    };

    // For the HTTP library: 1 where an answer is queued, 0 to hang up.
    int answer(MHD_Connection* connection, const std::string& path, const std::string& method) noexcept;

    const Text text_;
    std::string newest_;       // the server's thread's
    Clock::time_point stale_;  // from then on `newest_` is made anew; likewise
    SocketAddress address_;
    const std::unique_ptr<Clients> clients_;
    std::unique_ptr<MHD_Daemon, Stop> daemon_;  // last: it uses the others
};

}  // namespace nd

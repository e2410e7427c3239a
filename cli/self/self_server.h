// SPDX-License-Identifier: MIT
//
// SelfServer: the server side of --self, in a process of its own or in a thread of this one.
#pragma once

#include "network/socket_address.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace nd {

// Told by a server as soon as clients can connect.
using ReadyFunction = std::function<void(const SocketAddress&)>;

class SelfServer {
public:
    virtual ~SelfServer() = default;

    // Where it listens.
    virtual SocketAddress address() const = 0;

    // After a failure: how the server ended if a signal did it, or nothing. Waits a second at most.
    virtual std::string early_death() = 0;

    // Waits for the end of the server, which has lost or finished its client. Throws if it did not end well.
    virtual void finish() = 0;
};

// Runs this executable with these arguments and --ready-descriptor. It listens at host and dies with this process.
std::unique_ptr<SelfServer> start_server_process(std::vector<std::string> arguments, const SocketAddress& host);

// Runs the function in a thread.
std::unique_ptr<SelfServer> start_server_thread(std::function<void(const ReadyFunction&)> server);

// The other end of start_server_process: reports the port to a descriptor and closes it.
void report_ready(int descriptor, const SocketAddress& listening);

}  // namespace nd

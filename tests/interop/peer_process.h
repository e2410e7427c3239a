// SPDX-License-Identifier: MIT
//
// PeerProcess: a running program of the tests, its output lines, its end.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "support/deadline.h"

namespace opennd::interop {

class PeerProcess {
public:
    // Starts a program with its transport pinned. Throws if that fails.
    PeerProcess(const char* program, const std::vector<std::string>& arguments, const std::string& transport = "shm");
    PeerProcess(const PeerProcess&) = delete;
    PeerProcess& operator=(const PeerProcess&) = delete;
    ~PeerProcess();  // kills it if it still runs

    // The next line it prints; "" if none came by the deadline or it ended.
    std::string line();

    // Kills it as kill -9 does and returns when it is dead: the moment from which deadlines count.
    support::Clock::time_point kill();

    // Keeps it from running, as it would be on a host that is too busy for it, and lets it go on.
    void stop();
    void go_on();

    // Waits for its own end; the exit code, or -1 if it was killed or did not end by the deadline.
    int exit_code();

private:
    pid_t process_ = -1;
    int output_ = -1;
};

}  // namespace opennd::interop

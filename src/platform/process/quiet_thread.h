// SPDX-License-Identifier: MIT
// A thread of the library's own: named, with all signals blocked, since signals are for the program's threads.
#pragma once

#include <pthread.h>

#include "base/status.h"

namespace opennd {

// Not thread-safe. Joined or detached before it is destroyed.
class QuietThread {
public:
    QuietThread() = default;
    QuietThread(const QuietThread&) = delete;
    QuietThread& operator=(const QuietThread&) = delete;

    // Runs `main(argument)`. `name`: at most 15 characters. insufficient_resources: no thread left (logged).
    Status start(const char* name, void* (*main)(void*), void* argument);
    // Returns when `main` has. No effect if it was never started.
    void join();
    // It ends by itself, and another may be started. No effect if it was never started.
    void detach();

private:
    pthread_t thread_{};
    bool started_ = false;
};

}  // namespace opennd

// SPDX-License-Identifier: MIT
// The program's signals, which no thread and no write of the library takes or raises.
#pragma once

#include <pthread.h>
#include <signal.h>

#include "base/status.h"

namespace opennd {

// A thread of the library's own: named, with all signals blocked, since signals are for the program's threads. Not thread-safe. Joined or
// detached before it is destroyed.
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

// Writes that fail without a signal to the program: while this lives, a write of this thread beyond the limit on the size of files (SIGXFSZ), or to a pipe that nobody reads (SIGPIPE), ends
// no process: the error of the call says the same. A signal that was pending before stays. errno is preserved.
class QuietWrite {
public:
    QuietWrite() noexcept;
    ~QuietWrite();
    QuietWrite(const QuietWrite&) = delete;
    QuietWrite& operator=(const QuietWrite&) = delete;

private:
    sigset_t before_, pending_;
};

}  // namespace opennd

// SPDX-License-Identifier: MIT
//
// An interruption: SIGINT (Ctrl-C) or SIGTERM. The first signal of each kind asks for a clean stop, the second one ends the process.
#pragma once

#include <exception>

namespace nd {

enum class OnInterrupt { stop_cleanly, ignore };

// Installs the handlers. A server started by --self ignores both signals, which a terminal or timeout(1) sends to it as well: its client
// is in charge and ends it.
void handle_interrupts(OnInterrupt reaction);

bool interrupted();

// Interrupts as if SIGINT had come, unless a signal has: ends the waits of other threads. Any thread.
void interrupt();

// Thrown where there is nothing to finish first, such as waiting for a client.
class Interrupted : public std::exception {
public:
    const char* what() const noexcept override { return "interrupted"; }
};

// After an interruption: the exit code that a shell expects of a process that the signal ended, 130 for SIGINT, 143 for SIGTERM.
int interrupted_exit();

}  // namespace nd

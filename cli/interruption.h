// SPDX-License-Identifier: MIT
//
// SIGINT: the first one asks for a clean stop, the second one ends the process.
#pragma once

#include <exception>

namespace nd {

enum class OnInterrupt { stop_cleanly, ignore };

// Installs the handler. A server started by --self ignores SIGINT: its client is in charge and ends it.
void handle_interrupts(OnInterrupt reaction);

bool interrupted();

// As if SIGINT had come: ends the waits of other threads.
void interrupt();

// Thrown where there is nothing to finish first, such as waiting for a client.
class Interrupted : public std::exception {
public:
    const char* what() const noexcept override { return "interrupted"; }
};

// The exit code that a shell expects of a process that SIGINT ended.
constexpr int kInterruptedExit = 130;

}  // namespace nd

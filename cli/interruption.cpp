// SPDX-License-Identifier: MIT
//
// Read interruption.h first.
#include "interruption.h"

#include <atomic>
#include <csignal>

namespace nd {
namespace {

// Set by a signal handler or another thread, read by all.
std::atomic<int> interrupt_seen = 0;
static_assert(std::atomic<int>::is_always_lock_free);

extern "C" void note_interrupt(int) { interrupt_seen = 1; }

}  // namespace

void handle_interrupts(OnInterrupt reaction) {
    struct sigaction action = {};
    sigemptyset(&action.sa_mask);
    action.sa_flags = static_cast<int>(SA_RESETHAND);  // the second SIGINT takes the default action
    action.sa_handler = note_interrupt;
    if (reaction == OnInterrupt::ignore) {
        action.sa_flags = 0;
        action.sa_handler = SIG_IGN;
    }
    sigaction(SIGINT, &action, nullptr);
}

bool interrupted() { return interrupt_seen != 0; }

void interrupt() { interrupt_seen = 1; }

}  // namespace nd

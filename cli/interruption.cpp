// SPDX-License-Identifier: MIT
//
// Read interruption.h first.
#include "interruption.h"

#include <atomic>
#include <csignal>

namespace nd {
namespace {

// The newest signal; 0: none yet. Set by a signal handler or another thread, read by all.
std::atomic<int> signal_seen = 0;
static_assert(std::atomic<int>::is_always_lock_free);

extern "C" void note_signal(int signal) { signal_seen = signal; }

}  // namespace

void handle_interrupts(OnInterrupt reaction) {
    struct sigaction action = {};
    sigemptyset(&action.sa_mask);
    // The second one takes the default action. A write that waits for its reader goes on: stdio would take its end for a failure.
    action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
    action.sa_handler = note_signal;
    if (reaction == OnInterrupt::ignore) {
        action.sa_flags = 0;
        action.sa_handler = SIG_IGN;
    }
    for (const int signal : {SIGINT, SIGTERM}) sigaction(signal, &action, nullptr);
}

bool interrupted() { return signal_seen != 0; }

void interrupt() {
    int none = 0;
    signal_seen.compare_exchange_strong(none, SIGINT);
}

int interrupted_exit() { return 128 + signal_seen; }

}  // namespace nd

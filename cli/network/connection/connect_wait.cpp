// SPDX-License-Identifier: MIT
//
// Read connect_wait.h first.
#include "network/connection/connect_wait.h"

#include "interruption.h"

#include <cstdio>
#include <stdexcept>
#include <string>
#include <thread>

namespace nd {
namespace {

using namespace std::chrono_literals;

constexpr auto kQuiet = 1s;            // an answer that comes sooner is no wait
constexpr auto kBetweenAttempts = 1s;  // each one costs the measurement a wake-up at the server
constexpr auto kBetweenLooks = 100ms;

std::string text_of(double seconds) {
    char text[32] = "";
    std::snprintf(text, sizeof text, "%g", seconds);
    return text;
}

}  // namespace

ConnectWait::ConnectWait(double timeout_seconds) : timeout_seconds_(timeout_seconds) {}

void ConnectWait::end_in_time(const SocketAddress& server) const {
    if (interrupted()) throw Interrupted();
    if (timeout_seconds_ == 0 || Clock::now() - start_ < std::chrono::duration<double>(timeout_seconds_)) return;
    throw std::runtime_error("cannot connect to " + server.text() + ": " +
                             (told_busy_ ? "it still measures for another client" : "no answer") + " after " +
                             text_of(timeout_seconds_) + " s (--timeout)");
}

void ConnectWait::look_around(const SocketAddress& server) {
    end_in_time(server);
    if (told_ || told_busy_ || Clock::now() - start_ < kQuiet) return;
    told_ = true;
    std::fprintf(stderr, "connecting to %s ...\n", server.text().c_str());
}

void ConnectWait::wait_for_turn(const SocketAddress& server) {
    if (!told_busy_)
        std::fprintf(stderr, "the server at %s measures for another client; waiting for its end ...\n",
                     server.text().c_str());
    told_busy_ = true;
    const Clock::time_point next = Clock::now() + kBetweenAttempts;
    do {
        end_in_time(server);
        std::this_thread::sleep_for(kBetweenLooks);
    } while (Clock::now() < next);
}

}  // namespace nd

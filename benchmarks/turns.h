// SPDX-License-Identifier: MIT
//
// The frame of a floor: the two sides (two_sides.h) play ping-pong over N connections, on the first alone or on all in turn,
// and the client prints half of a round trip.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "two_sides.h"

namespace benchmark {

struct Options {
    std::size_t connections = 1;
    bool spread = false;  // all in turn
    bool sleeps = false;  // both sides sleep until something comes
    std::size_t turns = 20000;
};

// Usage: PROGRAM [--spread] [--events] [-n TURNS] CONNECTIONS
inline Options parse(int count, char** words) {
    Options options;
    for (int i = 1; i < count; ++i) {
        if (std::strcmp(words[i], "--spread") == 0)
            options.spread = true;
        else if (std::strcmp(words[i], "--events") == 0)
            options.sleeps = true;
        else if (std::strcmp(words[i], "-n") == 0 && i + 1 < count)
            options.turns = std::strtoul(words[++i], nullptr, 10);
        else
            options.connections = std::max(1ul, std::strtoul(words[i], nullptr, 10));
    }
    return options;
}

// A Client has turn(connection): one message and its answer.
template <typename Client>
void measure(const char* name, const Options& options, Client& client) {
    using Clock = std::chrono::steady_clock;
    const std::size_t warm_up = std::max<std::size_t>(1000, 2 * options.connections);
    std::vector<double> halves;
    halves.reserve(options.turns);
    std::size_t next = 0;
    for (std::size_t turn = 0; turn < warm_up + options.turns; ++turn) {
        const auto before = Clock::now();
        client.turn(next);
        const std::chrono::duration<double, std::micro> took = Clock::now() - before;
        if (turn >= warm_up) halves.push_back(took.count() / 2);
        if (options.spread) next = (next + 1) % options.connections;
    }
    std::nth_element(halves.begin(), halves.begin() + static_cast<std::ptrdiff_t>(halves.size() / 2), halves.end());
    std::printf("%s: %zu connections, messages on %s, %s: median %.3f us\n", name, options.connections,
                options.spread ? "all in turn" : "the first", options.sleeps ? "events" : "polled",
                halves[halves.size() / 2]);
}

}  // namespace benchmark

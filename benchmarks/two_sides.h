// SPDX-License-Identifier: MIT
//
// The two processes of a floor, each on a processor of its own, and the line that a floor prints.
#pragma once

#include <sched.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace benchmark {

inline void need(bool done, const char* step) {
    if (done) return;
    std::perror(step);
    std::_Exit(2);
}

// Side 0 serves, side 1 measures. BENCH_CPUS=SERVER,CLIENT names their processors, 0 and 1 unless given.
inline void pin(int side) {
    int processors[2] = {0, 1};
    if (const char* const list = std::getenv("BENCH_CPUS"))
        need(std::sscanf(list, "%d,%d", &processors[0], &processors[1]) == 2, "BENCH_CPUS");
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(static_cast<std::size_t>(processors[side]), &one);
    (void)::sched_setaffinity(0, sizeof one, &one);
}

// Runs serve() in a second process, which ends with this one, and pins both. Gives the process's id.
template <typename Serve>
pid_t start_server(Serve serve) {
    const pid_t measuring = ::getpid();
    const pid_t server = ::fork();
    need(server >= 0, "fork");
    if (server == 0) {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (::getppid() != measuring) std::_Exit(0);
        pin(0);
        serve();
        std::_Exit(0);
    }
    pin(1);
    return server;
}

// Seconds of one turn(), the mean over some `milliseconds` of them after a tenth of that time to warm up. The clock is read once
// for a batch of turns.
template <typename Turn>
double seconds_of_a_turn(double milliseconds, Turn turn) {
    using Clock = std::chrono::steady_clock;
    std::uint64_t batch = 1;
    double spent = 0;
    const auto time_batch = [&] {
        const auto before = Clock::now();
        for (std::uint64_t i = 0; i < batch; ++i) turn();
        return std::chrono::duration<double>(Clock::now() - before).count();
    };
    while (spent < milliseconds / 1e4) {
        const double took = time_batch();
        spent += took;
        if (took < milliseconds / 1e5) batch *= 2;
    }
    std::uint64_t turns = 0;
    for (spent = 0; spent < milliseconds / 1e3; turns += batch) spent += time_batch();
    return spent / static_cast<double>(turns);
}

// The last line of a floor: its value and unit are the last two words.
inline void print_floor(const std::string& name, std::uint64_t bytes, double value, const char* unit) {
    std::printf("%s, %llu bytes: %.6g %s\n", name.c_str(), static_cast<unsigned long long>(bytes), value, unit);
}

}  // namespace benchmark

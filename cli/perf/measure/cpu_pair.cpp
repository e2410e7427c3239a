// SPDX-License-Identifier: MIT
//
// Read cpu_pair.h first.
#include "perf/measure/cpu_pair.h"

#include <sched.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <stdexcept>

namespace nd {

CpuPair CpuPair::parse(const std::string& text) {
    CpuPair pair;
    if (text.empty()) return pair;
    const char* end = text.data() + text.size();
    const auto server = std::from_chars(text.data(), end, pair.server);
    const bool comma = server.ec == std::errc() && server.ptr != end && *server.ptr == ',';
    const auto client = comma ? std::from_chars(server.ptr + 1, end, pair.client) : server;
    if (!comma || client.ec != std::errc() || client.ptr != end || pair.server < 0 || pair.client < 0)
        throw std::invalid_argument("--cpu (or BENCH_CPUS) '" + text + "' is not SERVER,CLIENT, two processor numbers");
    return pair;
}

void pin_to_cpu(int cpu) {
    if (cpu < 0) return;
    cpu_set_t set;
    CPU_ZERO(&set);
    if (cpu < CPU_SETSIZE) CPU_SET(static_cast<unsigned>(cpu), &set);
    if (sched_setaffinity(0, sizeof set, &set) != 0)
        throw std::runtime_error("cannot pin to processor " + std::to_string(cpu) + ": " + std::strerror(errno) +
                                 "; `nproc` and `taskset -p $$` tell which there are");
}

}  // namespace nd

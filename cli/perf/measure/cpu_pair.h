// SPDX-License-Identifier: MIT
//
// CpuPair: the processors that server and client are pinned to, as --cpu and BENCH_CPUS name them.
#pragma once

#include <string>

namespace nd {

struct CpuPair {
    int server = -1, client = -1;  // -1: not pinned

    // "A,B", or empty for none. Throws std::invalid_argument.
    static CpuPair parse(const std::string& text);
};

// Binds the calling thread; -1 does nothing. Throws std::runtime_error.
void pin_to_cpu(int cpu);

}  // namespace nd

// SPDX-License-Identifier: MIT
//
// What `nd perf` can be asked for, and the plans that follow from it.
#pragma once

#include "perf/plan/perftest_options.h"
#include "perf/plan/point_plan.h"
#include "usage/json_output.h"
#include "usage/side_options.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace nd {

struct PerfOptions : SideOptions, JsonOptions {
    static constexpr std::uint16_t kDefaultPort = 18515;  // perftest's

    std::string test;      // a name of Test, or "all"
    bool threads = false;  // as `self`, in this process

    std::optional<std::uint64_t> size;
    bool all_sizes = false;
    std::optional<std::uint64_t> iterations;
    double duration_seconds = 0;
    std::optional<std::uint32_t> depth, receive_depth, post_list, moderation, inline_bytes, warmup;
    std::optional<std::uint32_t> queue_pairs, reads;
    bool endless = false;  // a row for each duration, until an interruption
    bool events = false, bidirectional = false, verify = false, spread = false;
    bool no_peak = false, every_time = false;
    std::string memory = "private", cpus;

    std::string csv, page;  // files; "-" is standard output
    bool bench = false, verbose = false, histogram = false, gigabits = false, cycles = false;
    PerftestOptions perftest;
};

// The file of the JSON; empty: none is asked for; "-": standard output.
std::string json_file(const PerfOptions& options);

void define_perf_options(CLI::App& command, PerfOptions& options);

// The tests and sizes asked for. Throws std::invalid_argument if the options contradict each other.
std::vector<Test> tests_of(const PerfOptions& options);
std::vector<std::uint64_t> sizes_of(const PerfOptions& options, Test test);

// Fills in the defaults of options that were not given.
PointPlan plan_point(const PerfOptions& options, const ND2_ADAPTER_INFO& limits, Test test, std::uint64_t size);

}  // namespace nd

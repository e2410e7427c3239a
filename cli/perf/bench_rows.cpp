// SPDX-License-Identifier: MIT
//
// Read bench_rows.h first.
#include "perf/bench_rows.h"

#include "interruption.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>

namespace nd {
namespace {

constexpr std::uint64_t kRateSize = 8;
constexpr std::uint64_t kSmallestBandwidthSize = 4096;

std::string environment(const char* name, const char* otherwise) {
    const char* value = std::getenv(name);
    return value != nullptr && *value != '\0' ? value : otherwise;
}

std::uint64_t parse_number(std::string_view text, const char* name) {
    std::uint64_t value = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
    if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size() || value == 0)
        throw std::invalid_argument(std::string(name) + ": '" + std::string(text) + "' is not a positive number");
    return value;
}

std::vector<std::uint64_t> bench_sizes(const PerfOptions& options) {
    if (options.size) return {*options.size};
    const std::string list = environment("BENCH_SIZES", "8,64,1024,4096,65536,1048576");
    std::vector<std::uint64_t> sizes;
    for (std::size_t begin = 0; begin <= list.size();) {
        const std::size_t end = std::min(list.find(',', begin), list.size());
        sizes.push_back(parse_number(std::string_view(list).substr(begin, end - begin), "BENCH_SIZES"));
        begin = end + 1;
    }
    return sizes;
}

void print_row(const PointOutcome& outcome, const char* test, const char* metric, double value) {
    const nlohmann::ordered_json row = {
        {"test", (outcome.transport == "iwarp" ? "tcp" : outcome.transport) + "." + test},
        {"variant", outcome.plan.memory == MemoryKind::mappable ? "mappable" : "private"},
        {"size", outcome.plan.size},
        {"metric", metric},
        {"value", value},
    };
    std::printf("%s\n", row.dump().c_str());
    std::fflush(stdout);
}

const char* rate_name(Test test) {
    switch (test) {
        case Test::send_bw: return "send_rate";
        case Test::write_bw: return "write_rate";
        default: return nullptr;
    }
}

void print_latency_row(const PointOutcome& outcome) {
    const double each_us = outcome.client.seconds * 1e6 / static_cast<double>(outcome.client.iterations);
    print_row(outcome, name_of(outcome.plan.test), "us", is_ping_pong(outcome.plan.test) ? each_us / 2 : each_us);
}

// Nothing where no row asks for this test at this size.
void measure_row(PerfClient& client, const PointPlan& plan) {
    const bool rate = plan.size == kRateSize && rate_name(plan.test) != nullptr;
    if (!is_latency(plan.test) && !rate && plan.size < kSmallestBandwidthSize) return;
    const PointOutcome outcome = client.measure(plan, nullptr);
    if (interrupted()) return;
    if (is_latency(plan.test))
        print_latency_row(outcome);
    else if (rate)
        print_row(outcome, rate_name(plan.test), "Mops", outcome.per_second() / 1e6);
    else
        print_row(outcome, name_of(plan.test), "GBps", outcome.per_second() * static_cast<double>(plan.size) / 1e9);
}

}  // namespace

void print_bench_rows(PerfClient& client, const PerfOptions& options, const ND2_ADAPTER_INFO& limits) {
    PerfOptions point = options;
    if (!point.iterations && point.duration_seconds == 0)
        point.duration_seconds = static_cast<double>(parse_number(environment("BENCH_MS", "100"), "BENCH_MS")) / 1e3;
    for (const char* memory : {"private", "mappable"}) {
        point.memory = memory;
        for (Test test : tests_of(options))
            for (std::uint64_t size : bench_sizes(options)) {
                if (interrupted()) return;
                measure_row(client, plan_point(point, limits, test, size));
            }
    }
}

}  // namespace nd

// SPDX-License-Identifier: MIT
//
// Read bench_rows.h first.
#include "perf/report/bench_rows.h"

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
// The size in the row of connect_rate, as its floor passes it along.
constexpr std::uint64_t kConnectRowSize = 65536;

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

// Over TCP all memory travels alike, and only the CRC makes a difference.
constexpr std::string_view kOverTcp = "iwarp";
constexpr std::string_view kCrcInPath = "crc32c";

const char* variant_of(const PointOutcome& outcome) {
    if (outcome.transport == kOverTcp) return outcome.path.find(kCrcInPath) != std::string::npos ? "crc" : "no-crc";
    return outcome.plan.memory == MemoryKind::mappable ? "mappable" : "private";
}

// A point that was interrupted is no figure.
void print_row(const PointOutcome& outcome, const std::string& test, const char* variant, std::uint64_t size,
               const char* metric, double value) {
    if (outcome.client.interrupted) return;
    const nlohmann::ordered_json row = {
        {"test", (outcome.transport == kOverTcp ? "tcp" : outcome.transport) + "." + test},
        {"variant", variant},
        {"size", size},
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

double latency_us(const PointOutcome& outcome) {
    const double each_us = outcome.client.seconds * 1e6 / static_cast<double>(outcome.client.iterations);
    return is_ping_pong(outcome.plan.test) ? each_us / 2 : each_us;
}

// Measures a row, unless no row asks for this test at this size.
void measure_row(PerfClient& client, const PointPlan& plan) {
    const bool rate = plan.size == kRateSize && rate_name(plan.test) != nullptr;
    if (!is_latency(plan.test) && !rate && plan.size < kSmallestBandwidthSize) return;
    const PointOutcome outcome = client.measure(plan, nullptr);
    const char* const variant = variant_of(outcome);
    if (is_latency(plan.test))
        print_row(outcome, name_of(plan.test), variant, plan.size, "us", latency_us(outcome));
    else if (rate)
        print_row(outcome, rate_name(plan.test), variant, plan.size, "Mops", outcome.per_second() / 1e6);
    else
        print_row(outcome, name_of(plan.test), variant, plan.size, "GBps",
                  outcome.per_second() * static_cast<double>(plan.size) / 1e9);
}

// Rows that have one size, or a number instead.
class SingleRows {
public:
    SingleRows(PerfClient& client, const PerfOptions& options, const ND2_ADAPTER_INFO& limits)
        : client_(client), options_(options), limits_(limits) {
        options_.queue_pairs.reset();
    }

    void measure(Test test) {
        switch (test) {
            case Test::wake_lat: return measure_wake();
            case Test::connect_rate: return measure_connect();
            case Test::pairs_lat: return measure_pairs();
            default: return;
        }
    }

private:
    void measure_wake() {
        const PointOutcome outcome = client_.measure(plan_point(options_, limits_, Test::wake_lat, kRateSize), nullptr);
        print_row(outcome, "wake_lat", "events", kRateSize, "us", latency_us(outcome));
    }

    void measure_connect() {
        const PointOutcome outcome =
            client_.measure(plan_point(options_, limits_, Test::connect_rate, kRateSize), nullptr);
        print_row(outcome, "connect_rate", "one-after-other", kConnectRowSize, "kops", outcome.per_second() / 1e3);
    }

    // "size" is the number of connected queue pairs.
    void measure_pairs() {
        for (const bool spread : {false, true})
            for (const std::uint32_t pairs : {1u, 64u, 1000u}) {
                if (interrupted()) return;
                options_.queue_pairs = pairs;
                options_.spread = spread;
                const PointOutcome outcome =
                    client_.measure(plan_point(options_, limits_, Test::pairs_lat, kRateSize), nullptr);
                print_row(outcome, spread ? "pairs_all_lat" : "pairs_one_lat", "private", pairs, "us",
                          latency_us(outcome));
            }
    }

    PerfClient& client_;
    PerfOptions options_;
    const ND2_ADAPTER_INFO& limits_;
};

std::vector<Test> single_row_tests(const PerfOptions& options) {
    if (options.test == "all") return {Test::wake_lat, Test::connect_rate, Test::pairs_lat};
    std::vector<Test> tests;
    for (const Test test : {Test::wake_lat, Test::connect_rate, Test::pairs_lat})
        if (options.test == name_of(test)) tests.push_back(test);
    return tests;
}

// Those with a row for each size and kind of memory.
std::vector<Test> sized_tests(const PerfOptions& options) {
    if (!single_row_tests(options).empty() && options.test != "all") return {};
    std::vector<Test> tests = tests_of(options);
    if (options.test == "all") tests.push_back(Test::register_lat);
    return tests;
}

}  // namespace

void print_bench_rows(PerfClient& client, const PerfOptions& options, const ND2_ADAPTER_INFO& limits) {
    PerfOptions point = options;
    if (!point.iterations && point.duration_seconds == 0)
        point.duration_seconds = static_cast<double>(parse_number(environment("BENCH_MS", "100"), "BENCH_MS")) / 1e3;
    for (const char* memory : {"private", "mappable"}) {
        point.memory = memory;
        if (point.memory == "mappable" && client.transport() == kOverTcp) continue;
        for (Test test : sized_tests(options))
            for (std::uint64_t size : bench_sizes(options)) {
                if (interrupted()) return;
                measure_row(client, plan_point(point, limits, test, size));
            }
    }
    SingleRows rows(client, point, limits);
    for (Test test : single_row_tests(options))
        if (!interrupted()) rows.measure(test);
}

}  // namespace nd

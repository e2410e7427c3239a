// SPDX-License-Identifier: MIT
//
// From options to plans: defaults, and what does not go together. Read perf_options.h and point_plan.h first.
#include "network/connection/connection.h"
#include "perf/plan/batch_size.h"
#include "perf/plan/perf_options.h"

#include <algorithm>
#include <stdexcept>

namespace nd {
namespace {

constexpr std::uint64_t kLargestSize = 8 << 20;         // of -a
constexpr std::uint64_t kVerifyWindowBytes = 64 << 20;  // buffers of a queue pair for one purpose
constexpr std::uint64_t kDefaultRunBytes = std::uint64_t{2} << 30;
constexpr std::uint64_t kWarmUpBytes = 256 << 20;       // of large sizes: more than caches have
constexpr std::uint64_t kVerifiedRunBytes = 128 << 20;  // every byte is made, compared and cleared besides

constexpr double kEndlessRowSeconds = 5;
constexpr std::uint32_t kManyPairs = 64;
// The least of the interfaces' limits: the server may call another one.
constexpr ULONG kInlineEverywhere = 256;

bool has_many_queue_pairs(Test test) {
    return test == Test::pairs_lat || (!is_latency(test) && test != Test::connect_rate);
}

// The depth unless one is given. pairs_lat has few: it has one message on its way, and many queue pairs.
std::uint32_t default_depth(Test test, std::uint64_t size) {
    return size < kLargeSize && test != Test::pairs_lat ? 128 : 16;
}

std::uint64_t default_iterations(Test test, std::uint64_t size, bool verify) {
    if (test == Test::connect_rate) return 1000;
    const std::uint64_t wanted = is_latency(test) ? 10000 : 20000;
    if (verify) return std::clamp<std::uint64_t>(kVerifiedRunBytes / size, 20, wanted);
    return std::clamp<std::uint64_t>(kDefaultRunBytes / size, 100, wanted);
}

bool is_read(Test test) { return test == Test::read_lat || test == Test::read_bw; }

std::uint32_t default_warmup(Test test, std::uint64_t size) {
    if (size < kLargeSize && test != Test::connect_rate) return 1000;
    return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(kWarmUpBytes / size, 1, 20));
}

std::uint32_t default_moderation(std::uint64_t size, std::uint32_t depth) {
    return size < kLargeSize ? std::clamp(depth / 2, 1u, 100u) : 1;
}

void reject_contradictions(const PerfOptions& options, Test test) {
    if (options.bidirectional && is_latency(test))
        throw std::invalid_argument("-b is for bandwidth; " + std::string(name_of(test)) +
                                    " goes both ways, or one way, as it is");
    if (options.queue_pairs.value_or(1) != 1 && !has_many_queue_pairs(test))
        throw std::invalid_argument("-q is for bandwidth and pairs_lat; " + std::string(name_of(test)) +
                                    " uses one queue pair");
    if (options.reads && !is_read(test))
        throw std::invalid_argument("-o is for read_lat and read_bw; " + std::string(name_of(test)) + " has no Reads");
    if (options.spread && test != Test::pairs_lat) throw std::invalid_argument("--spread is for pairs_lat");
    if (options.verify && std::find(std::begin(kOtherTests), std::end(kOtherTests), test) != std::end(kOtherTests))
        throw std::invalid_argument("--verify is for the tests of `all`; use it with send_lat -e or send_bw -q");
    if (options.events && test == Test::write_lat)
        throw std::invalid_argument(
            "-e is not possible with write_lat: a write gives its target no result to be notified of");
}

// The server's adapter may have a lower limit, which is in force then.
void check_reads(const PerfOptions& options, const ND2_ADAPTER_INFO& limits) {
    if (options.reads.value_or(1) <= limits.MaxOutboundReadLimit) return;
    throw std::runtime_error("Reads in progress (-o) " + std::to_string(*options.reads) + " is outside 1 to " +
                             std::to_string(limits.MaxOutboundReadLimit) + " (MaxOutboundReadLimit of the adapter)");
}

}  // namespace

std::vector<Test> tests_of(const PerfOptions& options) {
    std::vector<Test> tests;
    for (Test test : kAllTests)
        if (options.test == "all" || options.test == name_of(test)) tests.push_back(test);
    for (Test test : kOtherTests)
        if (options.test == name_of(test)) tests.push_back(test);
    if (tests.empty())
        throw std::invalid_argument(
            "perf needs a TEST: send_lat, send_bw, read_lat, ..., or all\n  nd perf --help tells more");
    if (tests.size() == 1) reject_contradictions(options, tests.front());
    if (tests.size() != 1 && options.endless)
        throw std::invalid_argument("--run_infinitely is for one test, not for all");
    return tests;
}

std::vector<std::uint64_t> sizes_of(const PerfOptions& options, Test test) {
    if (test == Test::connect_rate) return {8};  // of nothing that moves
    if (options.size) return {*options.size};
    if (!options.all_sizes && options.test != "all") return {is_latency(test) ? std::uint64_t{8} : kLargeSize};
    std::vector<std::uint64_t> sizes;
    for (std::uint64_t size = 1; size <= kLargestSize; size *= 2) sizes.push_back(size);
    return sizes;
}

PointPlan plan_point(const PerfOptions& options, const ND2_ADAPTER_INFO& limits, Test test, std::uint64_t size) {
    if (size == 0) throw std::invalid_argument("-s 0 moves nothing; give at least 1 byte");
    PointPlan plan = {};
    plan.test = test;
    plan.memory = options.memory == "mappable" ? MemoryKind::mappable : MemoryKind::ordinary;
    plan.size = size;
    const double seconds =
        options.endless && options.duration_seconds == 0 ? kEndlessRowSeconds : options.duration_seconds;
    plan.duration_ms = static_cast<std::uint32_t>(std::clamp(seconds * 1e3, 0.0, 4e9));
    if (seconds > 0) plan.duration_ms = std::max(plan.duration_ms, 1u);
    if (plan.duration_ms == 0)
        plan.iterations = options.iterations.value_or(default_iterations(test, size, options.verify));
    plan.warmup = options.warmup.value_or(default_warmup(test, size));
    plan.verify = options.verify;
    plan.sample = is_latency(test) && !options.bench;
    // With `all`, an option that contradicts a test is ignored for that test.
    plan.queue_pairs =
        has_many_queue_pairs(test) ? options.queue_pairs.value_or(test == Test::pairs_lat ? kManyPairs : 1) : 1;
    plan.bidirectional = options.bidirectional && !is_latency(test);
    plan.events = test == Test::wake_lat || (options.events && test != Test::write_lat);
    plan.spread = options.spread;
    plan.every_time = plan.sample && options.every_time ? 1 : 0;
    plan.reads = is_read(test) && options.reads ? *options.reads : QueueDepths::kAllReads;

    const std::uint32_t credit = plan.credit_messages();
    plan.depth = options.depth.value_or(std::min(default_depth(test, size), limits.MaxInitiatorQueueDepth - credit));
    if (options.verify)
        plan.depth = static_cast<std::uint32_t>(
            std::min<std::uint64_t>(plan.depth, std::max<std::uint64_t>(kVerifyWindowBytes / size, 2)));
    const std::uint32_t default_receives = options.verify            ? plan.depth
                                           : test == Test::pairs_lat ? plan.depth
                                           : is_latency(test)        ? 64
                                                              : std::min(std::max(plan.depth, 512u), 4 * plan.depth);
    plan.receive_depth =
        options.receive_depth.value_or(std::clamp(default_receives, 2u, limits.MaxReceiveQueueDepth - credit));
    plan.moderation = options.moderation.value_or(default_moderation(size, plan.depth));
    plan.post_list = options.post_list.value_or(plan.depth);
    plan.inline_bytes = options.inline_bytes.value_or(std::min(limits.InlineRequestThreshold, kInlineEverywhere));
    check_reads(options, limits);
    check_plan(plan, limits);
    return plan;
}

}  // namespace nd

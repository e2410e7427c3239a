// SPDX-License-Identifier: MIT
//
// Read perf_table.h first.
#include "perf/report/perf_table.h"

#include <cstdio>

namespace nd {
namespace {

unsigned long long number(std::uint64_t value) { return value; }

void print_heading(const PointOutcome& outcome) {
    const PointPlan& plan = outcome.plan;
    std::printf("%s: %s, transport %s%s%s%s, %s memory", name_of(plan.test), name_of(outcome.api),
                outcome.transport.c_str(), outcome.path.empty() ? "" : " (", outcome.path.c_str(),
                outcome.path.empty() ? "" : ")", plan.memory == MemoryKind::mappable ? "mappable" : "private");
    if (!is_latency(plan.test) || plan.queue_pairs != 1)
        std::printf(", %u queue pair%s%s", plan.queue_pairs, plan.queue_pairs == 1 ? "" : "s",
                    plan.bidirectional != 0 ? ", bidirectional" : "");
    if (plan.test == Test::pairs_lat) std::printf(", messages on %s", plan.spread != 0 ? "all in turn" : "the first");
    if (plan.events != 0) std::printf(", events");
    if (plan.verify != 0) std::printf(", every byte verified");
    std::printf("\n");
    if (plan.test == Test::connect_rate)
        std::printf("%13s %18s %21s\n", "#connections", "peak[1/sec]", "average[1/sec]");
    else if (is_latency(plan.test))
        std::printf("%9s %12s %12s %12s %16s %12s %14s %10s %10s %12s\n", "#bytes", "#iterations", "t_min[usec]",
                    "t_max[usec]", "t_typical[usec]", "t_avg[usec]", "t_stdev[usec]", "50%[usec]", "99%[usec]",
                    "99.9%[usec]");
    else
        std::printf("%9s %12s %18s %21s %16s\n", "#bytes", "#iterations", "BW peak[MB/sec]", "BW average[MB/sec]",
                    "MsgRate[Mpps]");
}

void print_latency(const PointOutcome& outcome) {
    const LatencySummary& latency = outcome.client.latency;
    std::printf("%9llu %12llu %12.3f %12.3f %16.3f %12.3f %14.3f %10.3f %10.3f %12.3f\n", number(outcome.plan.size),
                number(outcome.client.iterations), latency.min_us, latency.max_us, latency.p50_us, latency.average_us,
                latency.deviation_us, latency.p50_us, latency.p99_us, latency.p999_us);
}

void print_bandwidth(const PointOutcome& outcome) {
    const double megabytes = static_cast<double>(outcome.plan.size) / 1e6;
    std::printf("%9llu %12llu %18.2f %21.2f %16.6f\n", number(outcome.plan.size), number(outcome.client.iterations),
                outcome.peak_per_second() * megabytes, outcome.per_second() * megabytes, outcome.per_second() / 1e6);
}

void print_connections(const PointOutcome& outcome) {
    std::printf("%13llu %18.0f %21.0f\n", number(outcome.client.iterations), outcome.peak_per_second(),
                outcome.per_second());
}

void print_details(const PointOutcome& outcome) {
    const ContextSwitches &client = outcome.client.switches, &server = outcome.server.switches;
    std::printf("          context switches: client %lld voluntary, %lld involuntary; server ",
                static_cast<long long>(client.voluntary), static_cast<long long>(client.involuntary));
    if (outcome.server_took_part)
        std::printf("%lld voluntary, %lld involuntary\n", static_cast<long long>(server.voluntary),
                    static_cast<long long>(server.involuntary));
    else
        std::printf("takes no part\n");
    const PointPlan& plan = outcome.plan;
    std::printf("          depth %u, receives %u, result every %u, inline up to %u bytes, warm-up %u", plan.depth,
                plan.receive_depth, plan.moderation, plan.inline_bytes, plan.warmup);
    if (plan.verify != 0)
        std::printf(", verified %llu here and %llu at the server", number(outcome.client.verified),
                    number(outcome.server.verified));
    std::printf("\n");
}

}  // namespace

void PerfTable::print(const PointOutcome& outcome) {
    if (!started_ || outcome.plan.test != test_) {
        if (started_) std::printf("\n");
        print_heading(outcome);
    }
    started_ = true;
    test_ = outcome.plan.test;
    if (outcome.plan.test == Test::connect_rate)
        print_connections(outcome);
    else if (is_latency(outcome.plan.test))
        print_latency(outcome);
    else
        print_bandwidth(outcome);
    if (verbose_) print_details(outcome);
    std::fflush(stdout);
}

}  // namespace nd

// SPDX-License-Identifier: MIT
//
// Read perf_json.h first. Names end with their unit.
#include "perf/report/perf_json.h"

#include <nlohmann/json.hpp>

namespace nd {
namespace {

using nlohmann::ordered_json;

ordered_json plan_json(const PointPlan& plan) {
    return {
        {"memory", plan.memory == MemoryKind::mappable ? "mappable" : "private"},
        {"queue_pairs", plan.queue_pairs},
        {"depth", plan.depth},
        {"receive_depth", plan.receive_depth},
        {"moderation", plan.moderation},
        {"post_list", plan.post_list},
        {"inline_bytes", plan.inline_bytes},
        {"warmup", plan.warmup},
        {"events", plan.events != 0},
        {"bidirectional", plan.bidirectional != 0},
        {"verify", plan.verify != 0},
        {"spread", plan.spread != 0},
        {"reads", plan.reads == QueueDepths::kAllReads ? ordered_json() : ordered_json(plan.reads)},
    };
}

ordered_json latency_json(const LatencySummary& latency, bool histogram) {
    ordered_json json = {
        {"min_us", latency.min_us},         {"max_us", latency.max_us},
        {"average_us", latency.average_us}, {"deviation_us", latency.deviation_us},
        {"p50_us", latency.p50_us},         {"p99_us", latency.p99_us},
        {"p999_us", latency.p999_us},
    };
    if (!latency.times_us.empty()) json["times_us"] = latency.times_us;
    if (!histogram) return json;
    json["histogram"] = ordered_json::array();
    for (const LatencyBin& bin : latency.histogram)
        json["histogram"].push_back({{"above_us", bin.from_us}, {"up_to_us", bin.to_us}, {"count", bin.count}});
    return json;
}

ordered_json bandwidth_json(const PointOutcome& outcome) {
    const double size = static_cast<double>(outcome.plan.size);
    return {
        {"peak_bytes_per_second", outcome.peak_per_second() * size},
        {"average_bytes_per_second", outcome.per_second() * size},
        {"messages_per_second", outcome.per_second()},
    };
}

ordered_json connections_json(const PointOutcome& outcome) {
    return {{"peak_per_second", outcome.peak_per_second()}, {"average_per_second", outcome.per_second()}};
}

ordered_json switches_json(const ContextSwitches& switches) {
    return {{"voluntary", switches.voluntary}, {"involuntary", switches.involuntary}};
}

ordered_json link_json(const Interface& interface) {
    if (interface.name.empty() || interface.loopback) return nullptr;
    return {{"interface", interface.name},
            {"rate_megabits", interface.rate_megabits == 0 ? ordered_json() : ordered_json(interface.rate_megabits)}};
}

ordered_json outcome_json(const PointOutcome& outcome, bool histograms) {
    ordered_json result = {
        {"test", name_of(outcome.plan.test)}, {"api", name_of(outcome.api)},
        {"size_bytes", outcome.plan.size},    {"iterations", outcome.client.iterations},
        {"seconds", outcome.client.seconds},  {"interrupted", outcome.client.interrupted},
    };
    if (outcome.plan.test == Test::connect_rate)
        result["connections"] = connections_json(outcome);
    else if (is_latency(outcome.plan.test))
        result["latency"] = latency_json(outcome.client.latency, histograms);
    else
        result["bandwidth"] = bandwidth_json(outcome);
    result["transport"] = {{"name", outcome.transport}, {"path", outcome.path}};
    result["link"] = link_json(outcome.interface);
    result["context_switches"]["client"] = switches_json(outcome.client.switches);
    if (outcome.server_took_part) result["context_switches"]["server"] = switches_json(outcome.server.switches);
    if (outcome.plan.verify != 0)
        result["verified"] = {{"client", outcome.client.verified}, {"server", outcome.server.verified}};
    result["plan"] = plan_json(outcome.plan);
    return result;
}

}  // namespace

void write_json(std::ostream& out, const PerfRun& run, bool histograms) {
    ordered_json report = {
        {"version", opennd_version()}, {"complete", run.complete}, {"results", ordered_json::array()}};
    for (const PointOutcome& outcome : run.outcomes) report["results"].push_back(outcome_json(outcome, histograms));
    out << report.dump(2) << '\n';
}

}  // namespace nd

// SPDX-License-Identifier: MIT
// See latency_report.h.
#include "library/inspection/latency_report.h"

#include "transport/watch/latency/latency_histogram.h"

namespace opennd {
namespace {

using watch::LatencyHistogram;

// [[longest_ns, count]]; null instead of the first: the bucket has no end.
ordered_json buckets_json(const LatencyHistogram::Counts& counts) {
    ordered_json all = ordered_json::array();
    for (const auto& [bucket, count] : counts.buckets) {
        const auto longest = LatencyHistogram::longest_of(bucket);
        all.push_back(ordered_json::array({longest ? ordered_json(*longest) : ordered_json(), count}));
    }
    return all;
}

}  // namespace

ordered_json latency_json(const watch::Latencies& latencies, std::uint32_t interface_index) {
    ordered_json all = ordered_json::array();
    for (const watch::Latencies::Told& each : latencies.read(interface_index))
        all.push_back({{"api", name(each.face)},
                       {"wire", each.wire},
                       {"operation", name(each.operation)},
                       {"count", each.counts.count},
                       {"sum_ns", each.counts.sum_ns},
                       {"longest_ns", each.counts.longest_ns},
                       {"buckets", buckets_json(each.counts)}});
    return all;
}

}  // namespace opennd

// SPDX-License-Identifier: MIT
//
// Read latency_samples.h first.
#include "perf/measure/latency_samples.h"

#include <algorithm>
#include <cmath>

namespace nd {
namespace {

// The smallest value that at least this share of the samples does not exceed.
double percentile(const std::vector<double>& sorted, double share) {
    const double rank = std::ceil(share * static_cast<double>(sorted.size()));
    const std::size_t index = rank < 1 ? 0 : static_cast<std::size_t>(rank) - 1;
    return sorted[std::min(index, sorted.size() - 1)];
}

// The ends of bins have equal distances on a logarithmic axis, so that frequent and rare times are both told apart.
std::vector<LatencyBin> histogram_of(const std::vector<double>& sorted) {
    constexpr int kBins = 20;
    constexpr double kLeastRatio = 1.01;  // of bins: samples that differ by less do not differ
    const double first = sorted.front(), last = sorted.back();
    const double low =
        first > 0 ? first : *std::upper_bound(sorted.begin(), sorted.end() - 1, 0.0);  // a logarithm of 0 is none
    const double ratio = low > 0 ? std::max(std::pow(last / low, 1.0 / kBins), kLeastRatio) : kLeastRatio;
    std::vector<LatencyBin> bins;
    double from = first;
    for (auto begin = sorted.begin(); begin != sorted.end();) {
        const double next = low * std::pow(ratio, static_cast<double>(bins.size()) + 1);
        const double to = static_cast<int>(bins.size()) + 1 == kBins || next >= last ? last : next;
        const auto beyond = std::upper_bound(begin, sorted.end(), to);
        bins.push_back({from, to, static_cast<std::uint64_t>(beyond - begin)});
        begin = beyond;
        from = to;
    }
    return bins;
}

}  // namespace

LatencySummary LatencySamples::summary(double parts, bool every_time) const {
    if (empty()) return {};
    const std::size_t kept = static_cast<std::size_t>(std::min<std::uint64_t>(count_, kCapacity));
    const double us_per_tick = seconds_per_tick() * 1e6 / parts;
    std::vector<double> sorted(kept);
    std::transform(ticks_.begin(), ticks_.begin() + static_cast<std::ptrdiff_t>(kept), sorted.begin(),
                   [&](std::uint64_t ticks) { return static_cast<double>(ticks) * us_per_tick; });
    LatencySummary summary;
    if (every_time) {
        summary.times_us = sorted;
        const std::uint64_t oldest = count_ > kCapacity ? count_ % kCapacity : 0;
        std::rotate(summary.times_us.begin(), summary.times_us.begin() + static_cast<std::ptrdiff_t>(oldest),
                    summary.times_us.end());
    }
    std::sort(sorted.begin(), sorted.end());

    double sum = 0, squares = 0;
    for (double us : sorted) sum += us;
    const double average = sum / static_cast<double>(kept);
    for (double us : sorted) squares += (us - average) * (us - average);

    summary.histogram = histogram_of(sorted);
    summary.min_us = sorted.front();
    summary.max_us = sorted.back();
    summary.p50_us = percentile(sorted, 0.5);
    summary.average_us = average;
    summary.deviation_us = std::sqrt(squares / static_cast<double>(kept));
    summary.p99_us = percentile(sorted, 0.99);
    summary.p999_us = percentile(sorted, 0.999);
    return summary;
}

}  // namespace nd

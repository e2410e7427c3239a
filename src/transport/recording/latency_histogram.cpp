// SPDX-License-Identifier: MIT
// See latency_histogram.h.
#include "transport/recording/latency_histogram.h"

namespace opennd::recording {

LatencyHistogram::Counts LatencyHistogram::read() const {
    Counts counts;
    for (std::size_t bucket = 0; bucket < kBuckets; ++bucket) {
        const std::uint64_t count = buckets_[bucket].load(std::memory_order_relaxed);
        if (count == 0) continue;
        counts.count += count;
        counts.buckets.emplace_back(bucket, count);
    }
    counts.sum_ns = sum_.load(std::memory_order_relaxed);
    counts.longest_ns = longest_.load(std::memory_order_relaxed);
    return counts;
}

}  // namespace opennd::recording

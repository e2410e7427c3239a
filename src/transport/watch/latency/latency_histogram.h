// SPDX-License-Identifier: MIT
// How long requests took, as counts of buckets: eight for each power of two nanoseconds, so that a bucket is at most an eighth wide. All
// buckets of a power of two end at the next one, so that coarser histograms are sums of whole buckets.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace opennd::watch {

class LatencyHistogram {
public:
    // A time in the last one is longer than 2^kMostPower nanoseconds, some 69 s.
    static constexpr std::size_t kMostPower = 36;
    static constexpr std::size_t kBuckets = (kMostPower - 2) * 8 + 1;

    static constexpr std::size_t bucket_of(std::uint64_t nanoseconds) {
        const std::uint64_t below = nanoseconds == 0 ? 0 : nanoseconds - 1;  // a bucket has its upper end
        if (below < 8) return below;
        const auto power = static_cast<std::size_t>(std::bit_width(below)) - 1;
        if (power >= kMostPower) return kBuckets - 1;
        return (power - 2) * 8 + ((below >> (power - 3)) & 7);
    }
    // The longest time of the bucket; nothing: the last one has no end.
    static constexpr std::optional<std::uint64_t> longest_of(std::size_t bucket) {
        if (bucket < 8) return bucket + 1;
        if (bucket >= kBuckets - 1) return std::nullopt;
        return (8 + bucket % 8 + 1) << (bucket / 8 - 1);
    }

    // Any thread.
    void add(std::chrono::nanoseconds took) {
        const auto nanoseconds = took.count() < 0 ? 0 : static_cast<std::uint64_t>(took.count());
        buckets_[bucket_of(nanoseconds)].fetch_add(1, std::memory_order_relaxed);
        sum_.fetch_add(nanoseconds, std::memory_order_relaxed);
        std::uint64_t longest = longest_.load(std::memory_order_relaxed);
        while (longest < nanoseconds &&
               !longest_.compare_exchange_weak(longest, nanoseconds, std::memory_order_relaxed)) {
        }
    }

    struct Counts {
        std::uint64_t count = 0;
        std::uint64_t sum_ns = 0;
        std::uint64_t longest_ns = 0;
        std::vector<std::pair<std::size_t, std::uint64_t>> buckets;  // those that have some, by number
    };
    // Any thread; times that are added meanwhile may be in the sum alone. Throws std::bad_alloc.
    Counts read() const {
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

private:
    using Counter = std::atomic<std::uint64_t>;  // relaxed: each stands alone

    std::array<Counter, kBuckets> buckets_{};
    Counter sum_{0}, longest_{0};
};

}  // namespace opennd::watch

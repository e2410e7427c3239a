// SPDX-License-Identifier: MIT
#include "transport/watch/latency/latency_histogram.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <limits>

namespace opennd::watch {
namespace {

using std::chrono::nanoseconds;

TEST(LatencyHistogram, HasEachTimeInTheFirstBucketThatEndsNotBeforeIt) {
    for (std::uint64_t time = 1; time < 5000; ++time) {
        const std::size_t bucket = LatencyHistogram::bucket_of(time);
        EXPECT_LE(time, LatencyHistogram::longest_of(bucket).value()) << time;
        if (bucket > 0) {
            EXPECT_GT(time, LatencyHistogram::longest_of(bucket - 1).value()) << time;
        }
    }
}

TEST(LatencyHistogram, HasBucketsThatAreAnEighthWideAtMost) {
    for (std::size_t bucket = 8; bucket + 1 < LatencyHistogram::kBuckets; ++bucket) {
        const std::uint64_t end = LatencyHistogram::longest_of(bucket).value();
        const std::uint64_t before = LatencyHistogram::longest_of(bucket - 1).value();
        EXPECT_GT(end, before);
        EXPECT_LE((end - before) * 8, before) << bucket;
    }
}

TEST(LatencyHistogram, EndsABucketAtEachPowerOfTwo) {
    for (unsigned power = 3; power <= LatencyHistogram::kMostPower; ++power) {
        const std::uint64_t end = std::uint64_t{1} << power;
        EXPECT_EQ(LatencyHistogram::longest_of(LatencyHistogram::bucket_of(end)), end);
        EXPECT_EQ(LatencyHistogram::bucket_of(end + 1), LatencyHistogram::bucket_of(end) + 1);
    }
}

TEST(LatencyHistogram, HasAllLongerTimesInTheLastBucket) {
    constexpr std::size_t kLast = LatencyHistogram::kBuckets - 1;
    EXPECT_EQ(LatencyHistogram::bucket_of((std::uint64_t{1} << LatencyHistogram::kMostPower) + 1), kLast);
    for (unsigned power = LatencyHistogram::kMostPower; power < 63; ++power)
        EXPECT_EQ(LatencyHistogram::bucket_of(std::uint64_t{3} << (power - 1)), kLast) << power;
    EXPECT_EQ(LatencyHistogram::bucket_of(std::numeric_limits<std::uint64_t>::max()), kLast);
    EXPECT_FALSE(LatencyHistogram::longest_of(kLast));
}

TEST(LatencyHistogram, CountsAndAddsUp) {
    LatencyHistogram histogram;
    EXPECT_EQ(histogram.read().count, 0u);
    histogram.add(nanoseconds(100));
    histogram.add(nanoseconds(100));
    histogram.add(nanoseconds(1'000'000));
    histogram.add(nanoseconds(-5));  // clocks of processors may differ: no time
    const LatencyHistogram::Counts counts = histogram.read();
    EXPECT_EQ(counts.count, 4u);
    EXPECT_EQ(counts.sum_ns, 1'000'200u);
    EXPECT_EQ(counts.longest_ns, 1'000'000u);
    ASSERT_EQ(counts.buckets.size(), 3u);
    EXPECT_EQ(counts.buckets[0], (std::pair<std::size_t, std::uint64_t>(0, 1)));
    EXPECT_EQ(counts.buckets[1], (std::pair<std::size_t, std::uint64_t>(LatencyHistogram::bucket_of(100), 2)));
    EXPECT_EQ(counts.buckets[2], (std::pair<std::size_t, std::uint64_t>(LatencyHistogram::bucket_of(1'000'000), 1)));
}

}  // namespace
}  // namespace opennd::watch

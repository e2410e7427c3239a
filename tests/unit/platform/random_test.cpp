// SPDX-License-Identifier: MIT
// Random bytes differ, and all of a buffer is filled.
#include "platform/host/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <set>
#include <vector>

namespace opennd {
namespace {

TEST(Random, ValuesDiffer) {
    std::set<std::uint64_t> seen;
    for (int i = 0; i < 1000; ++i) seen.insert(random_u64());
    EXPECT_EQ(seen.size(), 1000u);
}

// Larger than the result of one uninterrupted call of getrandom.
TEST(Random, FillsALargeBufferToTheEnd) {
    std::vector<std::byte> bytes(1 << 20);
    fill_random(bytes);
    const auto tail = std::span(bytes).last(64);
    EXPECT_TRUE(std::any_of(tail.begin(), tail.end(), [](std::byte byte) { return byte != std::byte{0}; }));
}

TEST(Random, StaysInsideTheBuffer) {
    std::array<std::byte, 16> bytes{};
    fill_random(std::span(bytes).subspan(4, 7));
    for (const std::size_t outside : {0, 1, 2, 3, 11, 12, 13, 14, 15}) EXPECT_EQ(bytes[outside], std::byte{0});
}

TEST(Random, FillingNothingIsFine) { fill_random({}); }

}  // namespace
}  // namespace opennd

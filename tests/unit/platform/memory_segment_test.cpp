// SPDX-License-Identifier: MIT
// First fit, joining of neighbours, and addresses inside an allocation.
#include "platform/memory/mappable_memory.h"

#include <gtest/gtest.h>

#include <cstring>

#include "support/kernel_limits.h"

namespace opennd {
namespace {

const std::size_t kSegmentPage = MemorySegment::page_size();

class MemorySegmentTest : public testing::Test {
protected:
    std::uint64_t allocate(std::size_t pages) { return segment_.allocate(pages * kSegmentPage).value(); }

    MemorySegment segment_{SharedMemory::create("test", 8 * kSegmentPage).take()};
};

TEST_F(MemorySegmentTest, AllocatesFromTheFront) {
    EXPECT_EQ(allocate(2), 0u);
    EXPECT_EQ(allocate(1), 2 * kSegmentPage);
    EXPECT_EQ(allocate(5), 3 * kSegmentPage);
    EXPECT_EQ(segment_.allocate(kSegmentPage), std::nullopt);
}

TEST_F(MemorySegmentTest, TakesTheFirstRangeThatFits) {
    allocate(2);
    allocate(1);
    allocate(3);
    EXPECT_TRUE(segment_.free(0));
    EXPECT_EQ(segment_.allocate(3 * kSegmentPage), std::nullopt);  // 2 free in front, 2 behind
    EXPECT_EQ(allocate(1), 0u);
}

TEST_F(MemorySegmentTest, JoinsFreeNeighboursOnBothSides) {
    for (int i = 0; i < 8; ++i) allocate(1);
    EXPECT_EQ(segment_.allocate(kSegmentPage), std::nullopt);
    EXPECT_TRUE(segment_.free(2 * kSegmentPage));
    EXPECT_TRUE(segment_.free(4 * kSegmentPage));
    EXPECT_EQ(segment_.allocate(2 * kSegmentPage), std::nullopt);
    EXPECT_TRUE(segment_.free(3 * kSegmentPage));
    EXPECT_EQ(allocate(3), 2 * kSegmentPage);
}

TEST_F(MemorySegmentTest, IsWholeAgainWhenAllIsFreed) {
    const std::uint64_t offsets[] = {allocate(3), allocate(1), allocate(4)};
    for (const std::uint64_t offset : offsets) EXPECT_TRUE(segment_.free(offset));
    EXPECT_TRUE(segment_.empty());
    EXPECT_EQ(allocate(8), 0u);
}

TEST_F(MemorySegmentTest, FreesOnlyStartsOfAllocations) {
    allocate(2);
    EXPECT_FALSE(segment_.free(kSegmentPage));
    EXPECT_FALSE(segment_.free(2 * kSegmentPage));
    EXPECT_TRUE(segment_.free(0));
    EXPECT_FALSE(segment_.free(0));
}

TEST_F(MemorySegmentTest, FreedPagesReadAsZeroAgain) {
    if (const std::string reason = support::keeps_removed_pages(); !reason.empty()) GTEST_SKIP() << reason;
    const std::uint64_t offset = allocate(2);
    std::memset(segment_.memory().data() + offset, 0xAB, 2 * kSegmentPage);
    EXPECT_TRUE(segment_.free(offset));
    EXPECT_EQ(allocate(2), offset);
    EXPECT_EQ(segment_.memory().data()[offset], std::byte{0});
    EXPECT_EQ(segment_.memory().data()[offset + 2 * kSegmentPage - 1], std::byte{0});
}

TEST_F(MemorySegmentTest, HoldsRangesInsideOneAllocation) {
    allocate(2);
    allocate(1);
    EXPECT_TRUE(segment_.holds(0, 2 * kSegmentPage));
    EXPECT_TRUE(segment_.holds(kSegmentPage + 5, kSegmentPage - 5));
    EXPECT_FALSE(segment_.holds(kSegmentPage + 5, kSegmentPage - 4));  // into the neighbour
    EXPECT_FALSE(segment_.holds(3 * kSegmentPage, 1));
    EXPECT_FALSE(segment_.holds(0, ~std::size_t{0}));
}

}  // namespace
}  // namespace opennd

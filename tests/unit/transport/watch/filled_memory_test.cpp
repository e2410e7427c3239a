// SPDX-License-Identifier: MIT
#include "transport/watch/misuse/filled_memory.h"

#include <gtest/gtest.h>

#include <array>

namespace opennd::watch {
namespace {

class FilledMemoryTest : public testing::Test {
protected:
    Sge piece(std::size_t offset, std::uint32_t length) { return {memory.data() + offset, length, Token::none}; }
    bool is_filled(std::size_t offset, std::uint32_t length) { return filled.find(piece(offset, length)).has_value(); }

    std::array<std::byte, 256> memory{};
    FilledMemory filled;
};

TEST_F(FilledMemoryTest, FindsEachByteOfARangeAndNoOther) {
    const Sge range = piece(100, 50);
    filled.add(Operation::receive, {&range, 1});
    EXPECT_TRUE(is_filled(100, 1));
    EXPECT_TRUE(is_filled(149, 1));
    EXPECT_TRUE(is_filled(0, 256));
    EXPECT_FALSE(is_filled(0, 100));
    EXPECT_FALSE(is_filled(150, 106));
}

TEST_F(FilledMemoryTest, FindsALongRangeBehindShortOnes) {
    const Sge ranges[] = {piece(0, 200), piece(10, 1), piece(20, 1)};
    filled.add(Operation::read, ranges);
    const auto found = filled.find(piece(199, 1));
    ASSERT_TRUE(found);
    EXPECT_EQ(found->operation, Operation::read);
}

TEST_F(FilledMemoryTest, KeepsARangeThatAnotherRequestFillsToo) {
    const Sge range = piece(0, 10);
    const std::uint64_t first = filled.add(Operation::receive, {&range, 1});
    const std::uint64_t second = filled.add(Operation::receive, {&range, 1});
    filled.remove(first, Operation::receive, {&range, 1});
    EXPECT_TRUE(is_filled(5, 1));
    filled.remove(second, Operation::receive, {&range, 1});
    EXPECT_FALSE(is_filled(5, 1));
}

TEST_F(FilledMemoryTest, IgnoresEntriesWithoutBytes) {
    const Sge none = piece(5, 0);
    filled.add(Operation::receive, {&none, 1});
    EXPECT_FALSE(is_filled(0, 10));
}

}  // namespace
}  // namespace opennd::watch

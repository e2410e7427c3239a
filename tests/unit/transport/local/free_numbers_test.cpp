// SPDX-License-Identifier: MIT
// Numbers that connections take and give, and the word in which a consumer's wishes lie.
#include "transport/local/arena/free_numbers.h"

#include <gtest/gtest.h>

#include <cstdint>

#include "transport/local/arena/names.h"

namespace opennd::local {
namespace {

constexpr std::uint32_t kCount = 64 * 67;  // more words than one word of the summary has bits

TEST(FreeNumbers, AreEachTakenOnceTheLowestFirst) {
    FreeNumbers numbers(kCount);
    for (std::uint32_t next = 0; next < kCount; ++next) ASSERT_EQ(numbers.take(), next);
    EXPECT_FALSE(numbers.take());
    for (const std::uint32_t given : {64u * 66 + 5, 64u, 63u}) numbers.give(given);
    for (const std::uint32_t taken : {63u, 64u, 64u * 66 + 5}) EXPECT_EQ(numbers.take(), taken);
    EXPECT_FALSE(numbers.take());
}

TEST(FreeNumbers, AreTakenFromAPlaceOnAndBelowALimit) {
    FreeNumbers numbers(kCount);
    EXPECT_EQ(numbers.take_from(130, 192), 130u);
    EXPECT_EQ(numbers.take_from(130, 192), 131u);
    for (std::uint32_t number = 132; number < 192; ++number) numbers.take(number);
    EXPECT_FALSE(numbers.take_from(130, 192));
    EXPECT_EQ(numbers.take_from(130, 193), 192u);  // the next word's first
    EXPECT_EQ(numbers.take_from(130, kCount), 193u);
}

TEST(FreeNumbers, TellTheEndOfThoseThatAreTaken) {
    FreeNumbers numbers(kCount);
    EXPECT_EQ(numbers.end_of_taken(kCount), 0u);
    for (const std::uint32_t taken : {0u, 5u, 63u, 64u, 200u, kCount - 1}) {
        numbers.take(taken);
        for (const std::uint32_t limit : {taken + 1, kCount}) EXPECT_EQ(numbers.end_of_taken(limit), taken + 1);
    }
    EXPECT_EQ(numbers.end_of_taken(kCount - 1), 201u);
    EXPECT_EQ(numbers.end_of_taken(64), 64u);
    EXPECT_EQ(numbers.end_of_taken(63), 6u);
}

TEST(LaneWish, HasTheAttentionBesideABitForEachCrowd) {
    constexpr std::uint32_t kAllCrowds = (1u << kCrowds) - 1;
    for (const std::uint32_t attention : {0u, 1u, 0xffu})
        for (const std::uint32_t crowds : {0u, 1u, 1u << (kCrowds - 1), kAllCrowds}) {
            const std::uint32_t word = LaneWish::with(attention, crowds);
            EXPECT_EQ(LaneWish::attention(word), attention);
            EXPECT_EQ(LaneWish::crowds(word), crowds);
        }
}

}  // namespace
}  // namespace opennd::local

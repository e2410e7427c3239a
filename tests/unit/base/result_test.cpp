// SPDX-License-Identifier: MIT
// A value or a reason, never both.
#include "base/result.h"

#include <gtest/gtest.h>

#include <memory>

namespace opennd {
namespace {

TEST(Result, HoldsAValue) {
    Result<int> result = 5;
    EXPECT_TRUE(result.ok());
    EXPECT_EQ(result.status(), Status::success);
    result.value() += 1;
    EXPECT_EQ(result.take(), 6);
}

TEST(Result, HoldsAReason) {
    const Result<int> result = Status::no_memory;
    EXPECT_FALSE(result.ok());
    EXPECT_EQ(result.status(), Status::no_memory);
}

TEST(Result, TakesAValueThatOnlyMoves) {
    Result<std::unique_ptr<int>> result = std::make_unique<int>(3);
    const std::unique_ptr<int> value = result.take();
    EXPECT_EQ(*value, 3);
}

// Result<Status> is not meant to exist, but a Result of an enum must not confuse value and reason.
enum class Colour { red, green };
TEST(Result, KeepsEnumsApart) {
    const Result<Colour> result = Colour::green;
    EXPECT_TRUE(result.ok());
    EXPECT_EQ(result.value(), Colour::green);
}

}  // namespace
}  // namespace opennd

// SPDX-License-Identifier: MIT
//
// The effect of each moderation (NDK-CQ-MOD-01 to -04).
#include "ndk/queue/moderation.h"

#include <gtest/gtest.h>

#include "support/requirement.h"

namespace opennd {
namespace {

using std::chrono::microseconds;
using support::proves;

constexpr ULONG kDepth = 64;
constexpr ULONG kUnlimited = Moderation::kUnlimited;
const SteadyTime kBegan{std::chrono::seconds(100)};

Moderation of(ULONG interval_us, ULONG count) {
    const auto made = Moderation::from(interval_us, count, kDepth);
    EXPECT_TRUE(made.has_value()) << interval_us << ", " << count;
    return made.value_or(Moderation());
}

TEST(Moderation, IsOffWithoutIntervalOrCount) {
    proves("NDK-CQ-MOD-01");
    EXPECT_TRUE(Moderation().off());
    EXPECT_TRUE(of(0, kUnlimited).off());
    EXPECT_TRUE(of(0, 5).off());
    EXPECT_TRUE(of(20, 0).off());
    EXPECT_TRUE(of(20, 1).off());
    EXPECT_TRUE(of(kUnlimited, 1).off());
}

TEST(Moderation, NeedsALimit) {
    proves("NDK-CQ-MOD-01");
    EXPECT_FALSE(Moderation::from(kUnlimited, kUnlimited, kDepth));
    EXPECT_FALSE(Moderation::from(kUnlimited, kDepth + 1, kDepth));
    EXPECT_TRUE(Moderation::from(kUnlimited, kDepth, kDepth));
}

TEST(Moderation, EndsWithWhicheverComesFirst) {
    proves("NDK-CQ-MOD-04");
    const Moderation both = of(20, 3);
    EXPECT_FALSE(both.due(2, 0, kBegan, kBegan + microseconds(19)));
    EXPECT_TRUE(both.due(3, 0, kBegan, kBegan));
    EXPECT_TRUE(both.due(1, 0, kBegan, kBegan + microseconds(20)));
    EXPECT_TRUE(both.due(1, 1, kBegan, kBegan)) << "failures are not held back";
    EXPECT_EQ(both.deadline(kBegan), kBegan + microseconds(20));
    EXPECT_EQ(of(kUnlimited, 3).deadline(kBegan), std::nullopt);
}

TEST(Moderation, CountsMicrosecondsUpToTenSeconds) {
    proves("NDK-CQ-MOD-03");
    EXPECT_EQ(of(1, kUnlimited).deadline(kBegan), kBegan + microseconds(1));
    EXPECT_EQ(of(10'000'000, kUnlimited).deadline(kBegan), kBegan + std::chrono::seconds(10));
    EXPECT_EQ(of(10'000'001, kUnlimited).deadline(kBegan), kBegan + std::chrono::seconds(10));
    EXPECT_EQ(of(kUnlimited - 1, kUnlimited).deadline(kBegan), kBegan + std::chrono::seconds(10));
}

}  // namespace
}  // namespace opennd

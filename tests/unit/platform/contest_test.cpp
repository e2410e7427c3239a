// SPDX-License-Identifier: MIT
// Ways timed by a clock that the ways themselves move.
#include "platform/tuning/contest.h"

#include <gtest/gtest.h>

#include <string>

#include "base/kept_once.h"

namespace opennd {
namespace {

using std::chrono::nanoseconds;

TEST(Contest, TakesTheLeastTimeOfEachWayAndTheWaysInTurn) {
    SteadyTime time{};
    std::string calls;
    int slow = 100;
    const Way ways[] = {[&] {
                            calls += 'a';
                            time += nanoseconds(slow -= 10);
                        },
                        [&] {
                            calls += 'b';
                            time += nanoseconds(50);
                        }};
    const auto least = least_times(ways, 3, [&] { return time; });
    EXPECT_EQ(calls, "abababab") << "one call of each before those that count";
    EXPECT_EQ(least, (std::vector{nanoseconds(60), nanoseconds(50)}));
}

TEST(Contest, KeepsTheFirstValueThatIsFinished) {
    KeptOnce<int> kept;
    EXPECT_EQ(kept.get(), nullptr);
    EXPECT_EQ(kept.keep(3), 3);
    EXPECT_EQ(kept.keep(4), 3);
    EXPECT_EQ(*kept.get(), 3);
    static_cast<void>(std::unique_ptr<const int>(kept.get()));
}

}  // namespace
}  // namespace opennd

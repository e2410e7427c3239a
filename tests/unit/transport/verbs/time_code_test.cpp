// SPDX-License-Identifier: MIT
// Times as the InfiniBand specification writes them.
#include "transport/verbs/connection/time_code.h"

#include <gtest/gtest.h>

namespace opennd::verbs {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;

TEST(TimeCode, IsThatOfTheNextGreaterTime) {
    EXPECT_EQ(time_of_code(14), nanoseconds(67'108'864));
    EXPECT_EQ(code_of_time(nanoseconds(67'108'864)), 14);
    EXPECT_EQ(code_of_time(nanoseconds(67'108'865)), 15);
    EXPECT_EQ(code_of_time(milliseconds(15'000) / 7), 19) << "2.1 s";
    EXPECT_EQ(code_of_time(milliseconds(2000) / 7), 17);
}

TEST(TimeCode, IsNeverThatOfATimeWithoutLimit) { EXPECT_EQ(code_of_time(nanoseconds(0)), 1); }

TEST(TimeCode, EndsAtTheGreatest) { EXPECT_EQ(code_of_time(hours(24)), 31); }

}  // namespace
}  // namespace opennd::verbs

// SPDX-License-Identifier: MIT
// A consumer in C, with all headers of this set and of the system.
#include "c_language.h"

#include <gtest/gtest.h>

#include "support/requirement.h"

namespace opennd {
namespace {

TEST(Consumer, InCDoesTheSame) {
    support::proves("NDK-HOST-30", "NDK-HOST-31", "NDK-HOST-40", "NDK-HOST-53", "NDK-HOST-54");
    EXPECT_EQ(run_c_consumer(), 0);
}

}  // namespace
}  // namespace opennd

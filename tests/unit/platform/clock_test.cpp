// SPDX-License-Identifier: MIT
// Time does not run backwards.
#include "platform/process/clock.h"

#include <gtest/gtest.h>

namespace opennd {
namespace {

TEST(Clock, NeverRunsBackwards) {
    SteadyTime last = now();
    for (int i = 0; i < 1000; ++i) {
        const SteadyTime next = now();
        ASSERT_GE(next, last);
        last = next;
    }
}

}  // namespace
}  // namespace opennd

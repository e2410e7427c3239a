// SPDX-License-Identifier: MIT
//
// A test body in a fresh process, which has no thread and no object of the library yet: the test program starts itself
// again and runs the body there. What fails in it is printed there and fails the test here.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>

namespace opennd::process {

template <typename Body>
[[noreturn]] void run_and_exit(Body&& body) {
    body();
    std::exit(testing::Test::HasFailure() ? 1 : 0);
}

template <typename Body>
void in_child(Body&& body) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_EXIT(run_and_exit(body), testing::ExitedWithCode(0), "");
}

}  // namespace opennd::process

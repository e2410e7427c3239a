// SPDX-License-Identifier: MIT
//
// A test body in a fresh process, which has no thread and no object of the library yet: the test program starts itself
// again and runs the body there. The child prints its failures, and fails the test here.
#pragma once

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>

namespace opennd::process {

// GoogleTest keeps still in the child of a death test.
inline void print_failures() {
    const testing::TestResult& result = *testing::UnitTest::GetInstance()->current_test_info()->result();
    for (int i = 0; i < result.total_part_count(); ++i) {
        const testing::TestPartResult& part = result.GetTestPartResult(i);
        if (part.failed()) std::fprintf(stderr, "%s:%d: %s\n", part.file_name(), part.line_number(), part.message());
    }
}

template <typename Body>
[[noreturn]] void run_and_exit(Body&& body) {
    body();
    print_failures();
    std::exit(testing::Test::HasFailure() ? 1 : 0);
}

template <typename Body>
void in_child(Body&& body) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_EXIT(run_and_exit(body), testing::ExitedWithCode(0), "");
}

}  // namespace opennd::process

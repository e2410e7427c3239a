// SPDX-License-Identifier: MIT
//
// See skipped_test.h.
#include "support/skipped_test.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

namespace opennd::support {

void skip_without(std::uint64_t limit, const char* what, const char* name_of_limit) {
    if (limit != 0 || !std::getenv("OPENND_TEST_DEVICE")) return;
    const std::string why = std::string("no ") + what + " here (" + name_of_limit + ')';
    [&] { GTEST_SKIP() << why; }();
    // GoogleTest takes this exception for one that has been recorded.
    throw testing::AssertionException(
        testing::TestPartResult(testing::TestPartResult::kSkip, __FILE__, __LINE__, why.c_str()));
}

}  // namespace opennd::support

// SPDX-License-Identifier: MIT
//
// Runs the suite without the tests that a face is left out of (variant.h): the filter takes them out before GoogleTest
// counts or lists anything, so that they are no tests of that face rather than skipped ones. Leaving out a test that
// does not exist is reported. Under OPENND_CHECK the suite is at the same time the checking layer's: a test may provoke no diagnostic that
// it does not announce. Explanations that a test provokes are sentences.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <string>

#include "conformance/vocabulary/variant.h"
#include "support/diagnostics.h"
#include "support/sentences.h"

namespace opennd::conformance {
namespace {

// "Accept.IsRefused/Nd1*": suites are instantiated without a prefix, and variants begin with their face.
std::string pattern(const LeftOut& entry, const char* face) {
    return std::string(entry.suite) + "." + entry.test + "/" + face + "*";
}

bool names_a_test(const LeftOut& entry) {
    const testing::UnitTest& all = *testing::UnitTest::GetInstance();
    for (int i = 0; i < all.total_test_suite_count(); ++i) {
        const testing::TestSuite& suite = *all.GetTestSuite(i);
        if (std::string(suite.name()) != entry.suite) continue;
        if (std::string(entry.test) == "*") return true;
        for (int j = 0; j < suite.total_test_count(); ++j)
            if (std::string(suite.GetTestInfo(j)->name()).starts_with(std::string(entry.test) + "/")) return true;
    }
    return false;
}

// Removes the tests after the first '-' of a filter from those before it.
void take_out(const std::string& pattern) {
    const std::string filter = GTEST_FLAG_GET(filter);
    const bool takes_out = filter.find('-') != std::string::npos;
    GTEST_FLAG_SET(filter, filter + (takes_out ? ":" : "-") + pattern);
}

bool take_out_what_faces_are_left_out_of() {
    bool sound = true;
    for (const Face& face : faces())
        for (const LeftOut& entry : face.left_out) {
            take_out(pattern(entry, face.name));
            if (names_a_test(entry)) continue;
            std::cerr << "no test is called " << entry.suite << '.' << entry.test << ", which " << face.name
                      << " is left out of: " << entry.reason << '\n';
            sound = false;
        }
    return sound;
}

}  // namespace
}  // namespace opennd::conformance

int main(int argc, char** argv) {
    testing::InitGoogleTest(&argc, argv);
    if (!opennd::conformance::take_out_what_faces_are_left_out_of()) return 1;
    opennd::support::fail_tests_by_broken_sentences();
    if (std::getenv("OPENND_CHECK")) opennd::support::fail_tests_by_diagnostics();
    return RUN_ALL_TESTS();
}

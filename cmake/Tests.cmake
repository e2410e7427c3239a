# SPDX-License-Identifier: MIT
# opennd_discover_tests(TARGET PREFIX): each test of a GoogleTest program becomes a ctest test, "PREFIX.Suite.Name", so
# that a hang costs one test and the rest still report. The list is read when the tests run, not when they are built.
function(opennd_discover_tests target prefix)
    gtest_discover_tests(${target}
        TEST_PREFIX "${prefix}."
        DISCOVERY_MODE PRE_TEST
        DISCOVERY_TIMEOUT 60
        PROPERTIES TIMEOUT 120 LABELS ${prefix})
endfunction()

# SPDX-License-Identifier: MIT
# opennd_discover_tests(TARGET PREFIX [VARIABLE=VALUE]): each test of a GoogleTest program becomes a ctest test, "PREFIX.Suite.Name", so
# that a hang costs one test and the rest still report. The list is read when the tests run, not when they are built.
# They run with the environment variable.
function(opennd_discover_tests target prefix)
    gtest_discover_tests(${target}
        TEST_PREFIX "${prefix}."
        DISCOVERY_MODE PRE_TEST
        DISCOVERY_TIMEOUT 60
        PROPERTIES TIMEOUT 120 LABELS ${prefix} ENVIRONMENT "${ARGN}")
endfunction()

# opennd_headers_alone(TARGET header...): an object library of two sources for each header, in C and in C++, that include
# nothing else; the second time finds the guard. Only the compiler has something to say of them: a build for what is found
# at run time, with a sanitizer or for coverage, leaves them out.
function(opennd_headers_alone target)
    set(sources)
    foreach(header IN LISTS ARGN)
        foreach(language IN ITEMS c cpp)
            set(file "${CMAKE_CURRENT_BINARY_DIR}/alone/${header}.${language}")
            file(CONFIGURE OUTPUT "${file}" CONTENT
                "#include <${header}>\n#include <${header}>\nextern int something_to_compile;\n")
            list(APPEND sources "${file}")
        endforeach()
    endforeach()
    add_library(${target} OBJECT ${sources})
    if(OPENND_SANITIZE OR OPENND_COVERAGE)
        set_target_properties(${target} PROPERTIES EXCLUDE_FROM_ALL TRUE)
    endif()
endfunction()

# opennd_precompiled_tests(TARGET): a target whose sources include GoogleTest.
function(opennd_precompiled_tests target)
    opennd_precompiled(${target} tests gtest/gtest.h)
    opennd_together(${target} 4)
endfunction()

# opennd_simulated(TARGET): a library of tests that the simulation plays, too, thousands of times. It is compiled to run quicker.
function(opennd_simulated target)
    if(CMAKE_BUILD_TYPE STREQUAL "Debug")
        target_compile_options(${target} PRIVATE -O1)
    endif()
    opennd_precompiled(${target} simulated gtest/gtest.h)
endfunction()

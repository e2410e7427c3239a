# SPDX-License-Identifier: MIT
# How every file of the project is compiled: language, warnings, sanitizers, and what makes a build quick.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Release, Debug or RelWithDebInfo" FORCE)
endif()

# opennd_options: linked PRIVATE by every target of the project, seen by nobody else.
add_library(opennd_options INTERFACE)
target_compile_options(opennd_options INTERFACE
    -Wall -Wextra -Wpedantic -Wshadow
    $<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor -Woverloaded-virtual>
    $<$<COMPILE_LANG_AND_ID:CXX,Clang,AppleClang>:-Wthread-safety>
    $<$<BOOL:${OPENND_WERROR}>:-Werror>)

if(OPENND_SANITIZE)
    # vptr opens a pipe to look at an object, and takes every object for a wild one in tests that leave no descriptor.
    add_compile_options(-fsanitize=${OPENND_SANITIZE} -fno-sanitize=vptr
                        -fno-sanitize-recover=all -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${OPENND_SANITIZE})
endif()
# Of the library alone, without what the optimiser folds together; tests are built as ever.
set(OPENND_COUNTING "")
if(OPENND_COVERAGE)
    set(OPENND_COUNTING --coverage -fprofile-update=atomic -O0 -g0)
    add_link_options(--coverage)
endif()

if(OPENND_LTO)
    # gcc writes ordinary code beside its own form, so that libopennd.a links with any compiler; clang cannot.
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        include(CheckIPOSupported)
        check_ipo_supported(RESULT OPENND_LTO_WORKS LANGUAGES CXX)
        set(CMAKE_INTERPROCEDURAL_OPTIMIZATION ${OPENND_LTO_WORKS})
        string(REPLACE "-fno-fat-lto-objects" "-ffat-lto-objects" CMAKE_CXX_COMPILE_OPTIONS_IPO
            "${CMAKE_CXX_COMPILE_OPTIONS_IPO}")
    else()
        message(STATUS "OPENND_LTO: left off, it needs gcc")
    endif()
endif()

# Quick builds: ccache and mold where they are installed. Released code is linked by the system's linker, and
# a cross compiler by its own: gcc finds no other.
find_program(OPENND_CCACHE ccache)
if(OPENND_CCACHE AND PROJECT_IS_TOP_LEVEL)
    foreach(language C CXX)
        if(NOT CMAKE_${language}_COMPILER_LAUNCHER)
            # By default ccache leaves alone what includes a precompiled header.
            set(CMAKE_${language}_COMPILER_LAUNCHER
                ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${OPENND_CCACHE})
        endif()
    endforeach()
endif()
find_program(OPENND_MOLD mold)
if(OPENND_MOLD AND CMAKE_BUILD_TYPE STREQUAL "Debug" AND NOT OPENND_FUZZERS AND NOT CMAKE_CROSSCOMPILING)
    add_link_options(-fuse-ld=mold)
endif()

if(OPENND_TIDY)
    find_program(OPENND_CLANG_TIDY clang-tidy REQUIRED)
    set(CMAKE_CXX_CLANG_TIDY "${OPENND_CLANG_TIDY};--quiet")
endif()

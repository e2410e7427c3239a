# SPDX-License-Identifier: MIT
# opennd_precompiled(TARGET GROUP [header...]): what nearly every source includes of the standard library, and the headers,
# are parsed once for all programs of a group, and once for all its libraries, which are compiled otherwise. Targets of a group
# have the same options and definitions.
#
# A source still names all that it uses: .ci/run compiles those of the layers each by itself, with CMAKE_DISABLE_PRECOMPILE_HEADERS.
function(opennd_precompiled target group)
    get_target_property(type ${target} TYPE)
    if(type STREQUAL "EXECUTABLE")
        string(APPEND group _programs)
    endif()
    get_property(first GLOBAL PROPERTY OPENND_PRECOMPILED_${group})
    if(first)
        target_precompile_headers(${target} REUSE_FROM ${first})
        return()
    endif()
    set_property(GLOBAL PROPERTY OPENND_PRECOMPILED_${group} ${target})
    set(headers algorithm array atomic chrono cstddef cstdint cstring functional map memory optional span string
        string_view thread utility vector ${ARGN})
    list(TRANSFORM headers REPLACE "^(.+)$" "$<$<COMPILE_LANGUAGE:CXX>:<\\1$<ANGLE-R>>")
    target_precompile_headers(${target} PRIVATE ${headers})
endfunction()

# opennd_together(TARGET COUNT): COUNT sources at a time are compiled as one. A compiler is busy with third-party headers longer than
# with our own code (docs/decisions/0068). The sources have no names in common. clang-tidy judges each by itself.
function(opennd_together target count)
    if(NOT OPENND_TIDY)
        set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${count})
    endif()
endfunction()

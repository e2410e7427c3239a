# SPDX-License-Identifier: MIT
# opennd_companion: a folder under companions/ becomes a library beside libopennd, a program of it like any other.
#
#   opennd_companion(NAME HEADERS folder [SPELLINGS header...] ROOMS folder... [SOURCES file...] [LINKS companion...] [OPTIONS option...])
#
# Makes opennd_NAME_headers, libopennd-NAME.so (opennd_NAME, OpenND::NAME) and .a (opennd_NAME_static), of the folder's own
# sources, SOURCES, and the symbols that opennd_NAME.map lists. HEADERS: the folder under include/opennd that comes before it
# in the order of includes. SPELLINGS: headers of it in letters that programs write, too; the file has small ones. LINKS: companions that this one stands on. OPTIONS: what its programs are compiled with.
function(opennd_companion name)
    cmake_parse_arguments(PARSE_ARGV 1 companion "" "HEADERS" "SPELLINGS;ROOMS;SOURCES;LINKS;OPTIONS")
    set(target opennd_${name})
    list(TRANSFORM companion_LINKS PREPEND opennd_)
    set(below ${companion_LINKS})
    if(NOT below)
        set(below opennd)
    endif()
    list(TRANSFORM below APPEND _static OUTPUT_VARIABLE below_static)
    list(TRANSFORM companion_LINKS APPEND _headers OUTPUT_VARIABLE below_headers)
    if(NOT below_headers)
        set(below_headers opennd_headers)
    endif()

    add_library(${target}_headers INTERFACE)
    set_target_properties(${target}_headers PROPERTIES EXPORT_NAME ${name}_headers)
    set(spellings "${PROJECT_BINARY_DIR}/spellings/${companion_HEADERS}")
    target_include_directories(${target}_headers BEFORE INTERFACE
        "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include/opennd/${companion_HEADERS}>"
        "$<BUILD_INTERFACE:${spellings}>"
        "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/opennd/${companion_HEADERS}>")
    foreach(spelling IN LISTS companion_SPELLINGS)
        string(TOLOWER "${spelling}" header)
        file(CONFIGURE OUTPUT "${spellings}/${spelling}" CONTENT
            "/* SPDX-License-Identifier: MIT\n * ${spelling}: another spelling of ${header}. */\n#include \"${header}\"\n")
    endforeach()
    install(DIRECTORY "${spellings}" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/opennd")
    target_link_libraries(${target}_headers INTERFACE ${below_headers})
    # gcc 12 does not let a header say so for C++: #pragma warning and its like are Microsoft's.
    target_compile_options(${target}_headers INTERFACE -Wno-unknown-pragmas ${companion_OPTIONS})

    list(TRANSFORM companion_ROOMS APPEND /*.cpp OUTPUT_VARIABLE room_sources)
    list(TRANSFORM companion_ROOMS APPEND /*.h OUTPUT_VARIABLE room_headers)
    file(GLOB sources CONFIGURE_DEPENDS *.cpp *.h ${room_sources} ${room_headers})
    add_library(${target}_objects OBJECT ${sources} ${companion_SOURCES})
    # The printing of the system is meant here, on which that of Windows is built.
    target_compile_definitions(${target}_objects PRIVATE OPENND_SYSTEM_PRINTF)
    opennd_precompiled(${target}_objects ${name})
    target_include_directories(${target}_objects PUBLIC "${PROJECT_SOURCE_DIR}/companions")
    target_link_libraries(${target}_objects PUBLIC ${target}_headers PRIVATE opennd_options Threads::Threads)
    target_compile_options(${target}_objects PRIVATE -fno-semantic-interposition ${OPENND_COUNTING})

    set(map "${CMAKE_CURRENT_SOURCE_DIR}/${target}.map")
    add_library(${target} SHARED $<TARGET_OBJECTS:${target}_objects>)
    set_target_properties(${target} PROPERTIES
        EXPORT_NAME ${name}
        OUTPUT_NAME opennd-${name}
        VERSION ${PROJECT_VERSION}
        SOVERSION ${PROJECT_VERSION_MAJOR}
        LINKER_LANGUAGE CXX
        LINK_DEPENDS "${map}"
        # Wherever the tree stands, it finds those below beside itself.
        INSTALL_RPATH "$ORIGIN")
    target_link_libraries(${target} PUBLIC ${target}_headers ${below} PRIVATE Threads::Threads ${CMAKE_DL_LIBS})
    target_link_options(${target} PRIVATE "LINKER:--version-script=${map}")
    # Pool threads run until the process ends.
    target_link_options(${target} PRIVATE LINKER:-z,nodelete)
    if(NOT OPENND_SANITIZE)
        target_link_options(${target} PRIVATE LINKER:--no-undefined)
    endif()
    add_library(OpenND::${name} ALIAS ${target})

    add_library(${target}_static STATIC $<TARGET_OBJECTS:${target}_objects>)
    set_target_properties(${target}_static PROPERTIES
        EXPORT_NAME ${name}_static OUTPUT_NAME opennd-${name} LINKER_LANGUAGE CXX)
    target_link_libraries(${target}_static
        PUBLIC ${target}_headers ${below_static} Threads::Threads PRIVATE ${CMAKE_DL_LIBS})
    add_library(OpenND::${name}_static ALIAS ${target}_static)
endfunction()

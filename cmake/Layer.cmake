# SPDX-License-Identifier: MIT
# opennd_layer: one folder under src/ becomes one target.
#
#   opennd_layer(NAME [ROOMS folder...] [LINKS target...] [PRECOMPILED group [header...]])
#
# The folder's own sources and those of its ROOMS (not those of other folders inside it) become an object library, from which
# libopennd.so, libopennd.a and the unit tests are linked. A folder of headers alone becomes an interface library. LINKS
# names the layers below. PRECOMPILED is for a layer that is compiled otherwise than the others, or parses more (Precompiled.cmake).

# Where includes are written from; the second holds what CMake writes (library/version.h).
set(OPENND_INCLUDES "${OPENND_SOURCE}" "${PROJECT_BINARY_DIR}/generated")

# Object libraries that together are libopennd, bottom first.
set_property(GLOBAL PROPERTY OPENND_LAYERS)

function(opennd_layer name)
    cmake_parse_arguments(PARSE_ARGV 1 layer "" "" "ROOMS;LINKS;PRECOMPILED")
    list(TRANSFORM layer_ROOMS APPEND /*.cpp OUTPUT_VARIABLE room_sources)
    list(TRANSFORM layer_ROOMS APPEND /*.h OUTPUT_VARIABLE room_headers)
    file(GLOB sources CONFIGURE_DEPENDS *.cpp ${room_sources})
    file(GLOB headers CONFIGURE_DEPENDS *.h ${room_headers})
    if(sources)
        add_library(${name} OBJECT ${sources} ${headers})
        target_include_directories(${name} PUBLIC ${OPENND_INCLUDES})
        target_link_libraries(${name} PUBLIC ${layer_LINKS} PRIVATE opennd_options)
        set_target_properties(${name} PROPERTIES UNITY_BUILD ${OPENND_WHOLE_LAYERS} UNITY_BUILD_BATCH_SIZE 0)
        # Calls within the library are calls, not look-ups: nobody may put a function of his own in between.
        # Most of these functions are called through tables: to split one for callers that inline its beginning costs each call a
        # second frame.
        target_compile_options(${name} PRIVATE -fno-semantic-interposition ${OPENND_COUNTING}
                               $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fno-partial-inlining>)
        if(NOT layer_PRECOMPILED)
            set(layer_PRECOMPILED layers)
        endif()
        opennd_precompiled(${name} ${layer_PRECOMPILED})
        set_property(GLOBAL APPEND PROPERTY OPENND_LAYERS ${name})
    else()
        add_library(${name} INTERFACE ${headers})
        target_include_directories(${name} INTERFACE ${OPENND_INCLUDES})
        target_link_libraries(${name} INTERFACE ${layer_LINKS})
    endif()
endfunction()

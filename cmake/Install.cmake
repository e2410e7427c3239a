# SPDX-License-Identifier: MIT
# What `make install` leaves behind: headers, libopennd and its companions, each shared and static, a CMake package,
# pkg-config files, the examples, and the nd command with its man pages and completions. Every path inside is relative, so the tree may be moved.
include(CMakePackageConfigHelpers)

install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/opennd" DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
    FILES_MATCHING PATTERN "*.h")
install(TARGETS opennd opennd_static opennd_headers opennd_ndk_face opennd_ndk_face_static EXPORT OpenND
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS opennd_windows opennd_windows_static opennd_windows_headers EXPORT OpenNDWindows
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS opennd_wdm opennd_wdm_static opennd_wdm_headers EXPORT OpenNDWdm
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})

# `cmake --install --strip` leaves debug information and link-time objects in static libraries; programs need neither. The component
# `debug`, which an ordinary installation leaves out, puts the debug information of the others beside them, where gdb looks for it.
install(CODE "set(objcopy \"${CMAKE_OBJCOPY}\")\nset(lib \"${CMAKE_INSTALL_LIBDIR}\")" ALL_COMPONENTS)
install(CODE [[
    if(CMAKE_INSTALL_DO_STRIP)
        file(GLOB archives "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/${lib}/libopennd*.a")
        foreach(archive IN LISTS archives)
            execute_process(COMMAND "${objcopy}" --strip-debug --remove-section=.gnu.lto_* "${archive}" COMMAND_ERROR_IS_FATAL ANY)
        endforeach()
    endif()]])
foreach(library IN ITEMS opennd opennd_windows opennd_wdm)
    install(CODE "set(built \"$<TARGET_FILE:${library}>\")\nset(name \"$<TARGET_FILE_NAME:${library}>\")" COMPONENT debug EXCLUDE_FROM_ALL)
    install(CODE [[
        set(folder "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/${lib}")
        file(MAKE_DIRECTORY "${folder}/.debug")
        execute_process(COMMAND "${objcopy}" --only-keep-debug "${built}" "${folder}/.debug/${name}.debug" COMMAND_ERROR_IS_FATAL ANY)
        execute_process(COMMAND "${objcopy}" "--add-gnu-debuglink=${folder}/.debug/${name}.debug" "${folder}/${name}"
            COMMAND_ERROR_IS_FATAL ANY)
        list(APPEND CMAKE_INSTALL_MANIFEST_FILES "${CMAKE_INSTALL_PREFIX}/${lib}/.debug/${name}.debug")]] COMPONENT debug EXCLUDE_FROM_ALL)
endforeach()

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/OpenND)
install(EXPORT OpenND NAMESPACE OpenND:: DESTINATION ${package_dir} FILE OpenNDTargets.cmake)
install(EXPORT OpenNDWindows NAMESPACE OpenND:: DESTINATION ${package_dir} FILE OpenNDWindowsTargets.cmake)
install(EXPORT OpenNDWdm NAMESPACE OpenND:: DESTINATION ${package_dir} FILE OpenNDWdmTargets.cmake)
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/OpenNDConfig.cmake.in" OpenNDConfig.cmake
    INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(OpenNDConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/OpenNDConfig.cmake" "${PROJECT_BINARY_DIR}/OpenNDConfigVersion.cmake"
    DESTINATION ${package_dir})

file(RELATIVE_PATH opennd_pc_to_prefix "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
foreach(package IN ITEMS opennd opennd-ndk opennd-windows opennd-wdm)
    configure_file("${PROJECT_SOURCE_DIR}/cmake/${package}.pc.in" ${package}.pc @ONLY)
    install(FILES "${PROJECT_BINARY_DIR}/${package}.pc" DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()

install(DIRECTORY "${PROJECT_SOURCE_DIR}/data/" DESTINATION ${CMAKE_INSTALL_DATADIR}/opennd PATTERN wireshark EXCLUDE)
# Wireshark finds it among its own where the prefix is Wireshark's.
install(DIRECTORY "${PROJECT_SOURCE_DIR}/data/wireshark/OpenND" DESTINATION ${CMAKE_INSTALL_DATADIR}/wireshark/profiles)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/bindings/python/opennd" DESTINATION lib/python3/dist-packages
    FILES_MATCHING PATTERN "*.py" PATTERN __pycache__ EXCLUDE)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/examples" DESTINATION ${CMAKE_INSTALL_DOCDIR} USE_SOURCE_PERMISSIONS)
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION ${CMAKE_INSTALL_DOCDIR})

if(OPENND_CLI)
    file(RELATIVE_PATH bin_to_lib "/${CMAKE_INSTALL_BINDIR}" "/${CMAKE_INSTALL_LIBDIR}")
    set_target_properties(nd PROPERTIES INSTALL_RPATH "$ORIGIN/${bin_to_lib}")
    install(TARGETS nd RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})

    # The command describes itself, so that pages and completions cannot fall behind it.
    if(NOT CMAKE_CROSSCOMPILING)
        set(documents "${PROJECT_BINARY_DIR}/documents")
        add_custom_command(OUTPUT "${documents}/man1/nd.1"
            COMMAND ${CMAKE_COMMAND} -E rm -rf "${documents}"
            COMMAND nd generate documents "${documents}"
            DEPENDS nd VERBATIM COMMENT "Writing the man pages and the completions of nd")
        add_custom_target(nd_documents ALL DEPENDS "${documents}/man1/nd.1")
        install(DIRECTORY "${documents}/man1" DESTINATION ${CMAKE_INSTALL_MANDIR})
        install(FILES "${documents}/bash/nd" DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
        install(FILES "${documents}/zsh/_nd" DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
        install(FILES "${documents}/fish/nd.fish" DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
    endif()
endif()

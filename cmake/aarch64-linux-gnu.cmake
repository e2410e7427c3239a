# SPDX-License-Identifier: MIT
# For AArch64, on a Debian of another processor: its cross compiler, the packages that scripts/aarch64_root has unpacked, and qemu-user
# for the programs.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)

get_filename_component(OPENND_AARCH64_ROOT "${CMAKE_CURRENT_LIST_DIR}/../build/aarch64-root" ABSOLUTE)
if(NOT EXISTS "${OPENND_AARCH64_ROOT}/usr")
    message(FATAL_ERROR "There are no packages for AArch64 in ${OPENND_AARCH64_ROOT}: scripts/aarch64_root build/aarch64-root")
endif()
set(CMAKE_FIND_ROOT_PATH "${OPENND_AARCH64_ROOT}")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_SYSROOT_DIR} "${OPENND_AARCH64_ROOT}")
set(ENV{PKG_CONFIG_LIBDIR}
    "${OPENND_AARCH64_ROOT}/usr/lib/aarch64-linux-gnu/pkgconfig:${OPENND_AARCH64_ROOT}/usr/share/pkgconfig")

# The compiler has the C and C++ libraries of its own. Those of the root come behind them: <stdlib.h> of C++ must find that of C next.
foreach(folder IN ITEMS usr/include usr/include/aarch64-linux-gnu)
    string(APPEND opennd_includes " -idirafter ${OPENND_AARCH64_ROOT}/${folder}")
endforeach()
set(CMAKE_C_FLAGS_INIT "${opennd_includes}")
set(CMAKE_CXX_FLAGS_INIT "${opennd_includes}")
set(opennd_links "-Wl,-rpath-link,${OPENND_AARCH64_ROOT}/usr/lib/aarch64-linux-gnu:${OPENND_AARCH64_ROOT}/lib/aarch64-linux-gnu")
set(CMAKE_EXE_LINKER_FLAGS_INIT "${opennd_links}")
set(CMAKE_SHARED_LINKER_FLAGS_INIT "${opennd_links}")

set(CMAKE_CROSSCOMPILING_EMULATOR "qemu-aarch64;-L;${OPENND_AARCH64_ROOT}")

# SPDX-License-Identifier: MIT
# What OpenND stands on; docs/decisions/0001-dependencies.md says why each is here. Everything comes from the
# distribution; scripts/setup installs it.

set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)
find_package(fmt 9 REQUIRED)

find_package(PkgConfig REQUIRED)
pkg_check_modules(isal REQUIRED IMPORTED_TARGET libisal>=2.30)
pkg_check_modules(sodium REQUIRED IMPORTED_TARGET libsodium>=1.0.18)

# RDMA NICs: the headers of libibverbs and librdmacm. The libraries themselves are loaded where a device is (decision 0052).
find_path(OPENND_RDMA_HEADERS rdma/rdma_cma.h)
find_path(OPENND_IBVERBS_HEADERS infiniband/verbs.h)
mark_as_advanced(OPENND_RDMA_HEADERS OPENND_IBVERBS_HEADERS)
if(OPENND_RDMA_HEADERS AND OPENND_IBVERBS_HEADERS)
    option(OPENND_VERBS "Build the transport for RDMA NICs" ON)
else()
    option(OPENND_VERBS "Build the transport for RDMA NICs" OFF)
    if(OPENND_VERBS)
        message(FATAL_ERROR "OPENND_VERBS needs the headers of Debian's libibverbs-dev and librdmacm-dev (scripts/setup build).")
    endif()
endif()

# Source lines for the checking layer: the headers of libdw. The library itself is loaded where a place is told (decision 0092).
find_path(OPENND_LIBDW_HEADERS elfutils/libdwfl.h)
mark_as_advanced(OPENND_LIBDW_HEADERS)
if(NOT OPENND_LIBDW_HEADERS)
    message(FATAL_ERROR "The headers of elfutils' libdw are missing: Debian's libdw-dev (scripts/setup build).")
endif()

# The text of log lines, header-only: nothing of it appears in the interface or among the shared libraries that libopennd needs.
add_library(opennd_log_format INTERFACE)
get_target_property(fmt_headers fmt::fmt-header-only INTERFACE_INCLUDE_DIRECTORIES)
target_include_directories(opennd_log_format SYSTEM INTERFACE ${fmt_headers})
target_link_libraries(opennd_log_format INTERFACE Threads::Threads)

# Header-only, and nothing of it appears in the interface.
find_package(nlohmann_json 3.11 REQUIRED)

if(OPENND_CLI)
    find_package(CLI11 2.1 REQUIRED)
    pkg_check_modules(microhttpd REQUIRED IMPORTED_TARGET libmicrohttpd>=0.9.71) # MHD_Result
    pkg_check_modules(ncurses REQUIRED IMPORTED_TARGET ncurses)
endif()
if(OPENND_TESTS)
    find_package(GTest 1.12 REQUIRED)
    find_package(Python3 3.9 REQUIRED COMPONENTS Interpreter)
endif()
if(OPENND_BENCHMARKS)
    find_package(benchmark 1.7 REQUIRED)
endif()

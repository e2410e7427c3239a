// SPDX-License-Identifier: MIT
// How many descriptors this process has open: tests compare the number before and after, so that a leak fails.
#pragma once

#include <dirent.h>

#include <cstddef>

namespace opennd {

inline std::size_t open_descriptors() {
    DIR* const directory = ::opendir("/proc/self/fd");
    std::size_t count = 0;
    while (::readdir(directory)) ++count;
    ::closedir(directory);
    return count;
}

}  // namespace opennd

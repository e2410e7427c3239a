// SPDX-License-Identifier: MIT
// How many descriptors this process has open: tests compare the number before and after, so that a leak fails.
#pragma once

#include <dirent.h>
#include <gtest/gtest.h>

#include <cstddef>

#include "support/deadline.h"

namespace opennd {

inline std::size_t open_descriptors() {
    DIR* const directory = ::opendir("/proc/self/fd");
    std::size_t count = 0;
    while (::readdir(directory)) ++count;
    ::closedir(directory);
    return count;
}

// No more than before; a thread of the library's closes descriptors of other processes.
inline void expect_all_closed(std::size_t before) {
    EXPECT_TRUE(support::wait_until([before] { return open_descriptors() == before; }))
        << open_descriptors() << " descriptors are open, " << before << " were";
}

}  // namespace opennd

// SPDX-License-Identifier: MIT
//
// While it lives, this process gets no addresses beyond those that it has: no mapping. A long allocation fails as well in a process that has
// had one thread alone, for which the C library keeps no addresses. Not beside a sanitizer, which takes memory as it goes.
#pragma once

#include <gtest/gtest.h>
#include <sys/resource.h>

#include "support/sanitizer.h"

namespace opennd::support {

class NoNewMemory {
public:
    static constexpr bool kIsPossible = !kThreadSanitizer && !kAddressSanitizer;

    NoNewMemory() {
        EXPECT_EQ(getrlimit(RLIMIT_AS, &before_), 0);
        const rlimit none{0, before_.rlim_max};
        EXPECT_EQ(setrlimit(RLIMIT_AS, &none), 0);
    }
    NoNewMemory(const NoNewMemory&) = delete;
    NoNewMemory& operator=(const NoNewMemory&) = delete;
    ~NoNewMemory() { EXPECT_EQ(setrlimit(RLIMIT_AS, &before_), 0); }

private:
    rlimit before_{};
};

}  // namespace opennd::support

// SPDX-License-Identifier: MIT
//
// Message sizes around every boundary that an implementation may have: words, cache lines, slots, pages, chunks.
#pragma once

#include <cstddef>

namespace opennd::conformance {

inline constexpr std::size_t kMiB = 1024 * 1024;

inline constexpr std::size_t kMessageSizes[] = {
    0,    1,    2,    3,     4,     7,     8,     9,     15,       16,       31,
    33,   63,   64,   65,    127,   128,   129,   255,   256,      257,      511,
    512,  513,  1023, 1024,  1025,  2047,  2049,  4095,  4096,     4097,     8191,
    8192, 8193, 9000, 16383, 16385, 65535, 65536, 65537, kMiB - 1, kMiB + 1, 4 * kMiB + 13,
};
inline constexpr std::size_t kLargestMessage = 4 * kMiB + 13;

// One request that no ring holds at once.
inline constexpr std::size_t kLargeTransfer = 12 * kMiB + 5;

}  // namespace opennd::conformance

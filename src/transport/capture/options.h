// SPDX-License-Identifier: MIT
// The options of a capture, as an administrator gives them.
#pragma once

#include <cstdint>
#include <string>

namespace opennd::capture {

struct Options {
    static constexpr std::uint32_t kUsualSnapBytes = 262'144;
    static constexpr std::uint64_t kUsualFileBytes = 100'000'000;
    static constexpr std::uint32_t kUsualBufferMb = 64;

    std::string file;              // empty: no capture
    std::uint32_t files = 0;       // of a ring; the oldest one goes. 0: all stay
    std::uint64_t file_bytes = 0;  // a larger file is followed by the next; 0: one file, or kUsualFileBytes in a ring
    std::uint32_t snap_bytes = kUsualSnapBytes;                              // of each packet
    std::uint64_t buffer_bytes = std::uint64_t{kUsualBufferMb} * 1'000'000;  // of packets that are not written yet
    std::string filter;                                                      // see filter.h; empty: every connection

    bool rotates() const { return files != 0 || file_bytes != 0; }
    std::uint64_t bytes_a_file() const { return file_bytes != 0 ? file_bytes : kUsualFileBytes; }
};

}  // namespace opennd::capture

// SPDX-License-Identifier: MIT
// Memory as a list of pages that need not be neighbours, and the numbers by which requests and peers name its bytes. The
// numbers are an index, not addresses: they may be any (NDK-QP-FREG-01, -07).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace opennd {

inline constexpr std::uint32_t kPageBytes = 4096;  // on every host (NDK-LAM-06)

// Byte number base + i is byte first_byte + i of the pages laid end to end. Borrowed for the length of a call.
struct PageList {
    std::span<const std::uint64_t> pages;  // addresses in this process, each a multiple of kPageBytes
    std::uint32_t first_byte = 0;          // within the first page
    std::uint64_t base = 0;
    std::uint64_t length = 0;  // bytes; pages may be left over at the end
};

}  // namespace opennd

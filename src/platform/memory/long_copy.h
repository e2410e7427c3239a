// SPDX-License-Identifier: MIT
// Long copies, by the way that is quickest on this machine (copy_choice.h).
#pragma once

#include <cstddef>
#include <cstdint>

namespace opennd {

// The ways to make a long copy. Each copies the same bytes.
enum class CopyWay : std::uint8_t {
    strides,      // memcpy of kCopyStrideBytes at a time: glibc then copies by loads and stores
    library,      // one memcpy: glibc may use the processor's instruction
    instruction,  // the processor's instruction for it
};
inline constexpr std::size_t kCopyWays = 3;

// This processor has it.
bool has(CopyWay way);

// Some processors (Zen 3 and 4) carry the instruction out at a twentieth of its speed where the target lies less than 64 bytes
// behind the source, as seen within a page: header and payload behind it, against a page's begin. Such copies have a way of
// their own.
struct CopyWays {
    CopyWay apart = CopyWay::strides;
    CopyWay behind = CopyWay::strides;
};
inline constexpr std::size_t kCopyPage = 4096;
inline constexpr std::size_t kCopyBehind = 64;

// For all copies of this process that begin from now on. Any thread.
void set_copy_ways(CopyWays ways);
CopyWays copy_ways();

// By a way that this processor has. The ranges do not overlap.
void copy_by(CopyWay way, std::byte* to, const std::byte* from, std::size_t bytes);
// More than kCopyStrideBytes, by the way that is set.
void copy_longer(std::byte* to, const std::byte* from, std::size_t bytes);

// Shorter copies are memcpy: glibc makes them by loads and stores on every processor.
inline constexpr std::size_t kCopyStrideBytes = 2048;

}  // namespace opennd

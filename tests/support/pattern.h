// SPDX-License-Identifier: MIT
//
// Patterns: bytes that depend on a seed and on their position, so that a byte lost, doubled or misplaced shows.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace opennd::support {

std::byte pattern_byte(std::uint64_t seed, std::size_t index);

void fill_pattern(std::span<std::byte> bytes, std::uint64_t seed);
void fill_with(std::span<std::byte> bytes, std::byte value);

// Whether the bytes equal those of fill_pattern(seed), starting at position `first` of the pattern. A failure names the
// first byte that differs.
testing::AssertionResult has_pattern(std::span<const std::byte> bytes, std::uint64_t seed, std::size_t first = 0);
testing::AssertionResult is_filled_with(std::span<const std::byte> bytes, std::byte value);

}  // namespace opennd::support

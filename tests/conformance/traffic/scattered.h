// SPDX-License-Identifier: MIT
//
// Scattered: a message in up to four pieces of a slot of memory, with guards around them.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "conformance/traffic/script.h"
#include "conformance/vocabulary/driver.h"

namespace opennd::conformance::traffic {

inline constexpr std::size_t kMostPieces = 4;
inline constexpr std::size_t kSlotBytes = kLongest + (kMostPieces + 2) * kGuard;

// The bytes that belong to a seed.
std::vector<std::byte> bytes_of(std::uint64_t seed, std::size_t length);

// Whether both are equal, or where the first difference is.
testing::AssertionResult same_bytes(std::span<const std::byte> actual, std::span<const std::byte> expected);

class Scattered {
public:
    Scattered() = default;
    // Room for `capacity` bytes, cut at places drawn from `seed`; everything around them is guarded, and so are the
    // bytes behind the first `length`.
    Scattered(std::span<std::byte> slot, std::size_t capacity, std::size_t length, std::uint64_t seed);

    std::vector<Sge> sges(std::uint32_t token) const;
    void put(std::span<const std::byte> message);
    // Whether it holds the message, and nothing around it was written.
    testing::AssertionResult holds(std::span<const std::byte> message) const;

private:
    std::vector<std::span<std::byte>> pieces_;
    std::vector<std::span<std::byte>> guards_;
};

}  // namespace opennd::conformance::traffic

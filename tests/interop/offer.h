// SPDX-License-Identifier: MIT
//
// Shared by the two programs of an interop test: the layout of the peer's memory, the patterns, the offer message.
#pragma once

#include <cstddef>
#include <cstdint>

namespace opennd::interop {

// The peer's memory: the part that the test reads and writes, then the offer, then messages.
inline constexpr std::size_t kSharedBytes = 1024 * 1024 + 7;
inline constexpr std::size_t kOfferOffset = 1024 * 1024 + 4096;
inline constexpr std::size_t kMessageOffset = 1024 * 1024 + 8192;
inline constexpr std::size_t kMessageBytes = 20'000;
inline constexpr std::size_t kMemoryBytes = kMessageOffset + kMessageBytes;

inline constexpr std::uint64_t kPeerSeed = 5;  // the peer's memory at first
inline constexpr std::uint64_t kTestSeed = 6;  // the test's Writes into it

// Where the peer's memory is, as it knows it.
struct Offer {
    std::uint64_t address;
    std::uint32_t token;
};

}  // namespace opennd::interop

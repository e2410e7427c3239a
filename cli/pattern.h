// SPDX-License-Identifier: MIT
//
// A byte pattern that depends on position and on a sequence number, so that a stale, shifted, short or mixed-up transfer
// shows.
#pragma once

#include <cstddef>
#include <cstdint>

namespace nd {

void fill_pattern(std::byte* buffer, std::size_t bytes, std::uint64_t sequence);

// Throws std::runtime_error that names `what`, the sequence number, and the first wrong byte.
void verify_pattern(const std::byte* buffer, std::size_t bytes, std::uint64_t sequence, const char* what);

// Inverts every bit of the pattern: the answer of the server of `nd ping`.
void invert(std::byte* buffer, std::size_t bytes);

}  // namespace nd

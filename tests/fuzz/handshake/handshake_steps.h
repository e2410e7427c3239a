// SPDX-License-Identifier: MIT
// The steps of a script for handshake_fuzzer.cpp, each one byte, and the contents of packets. Corpora depend on the
// order.
#pragma once

#include <cstddef>
#include <cstdint>

namespace opennd::fuzz {

enum class HandshakeStep : std::uint8_t {
    // The hostile side.
    message,
    raw_bytes,
    hang_up,
    // The honest one.
    accept,
    reject,
    complete,
    disconnect,
};
inline constexpr std::size_t kHandshakeSteps = 7;

enum class Attachment : std::uint8_t {
    segment,       // an arena, as it should be
    small,         // sealed, but of one page
    shrinkable,    // of an arena's size
    growable,      // sealed against shrinking only
    tokens,        // as they should be
    empty_tokens,  // of the right size, zero
    doorbell,      // as it should be
    pipe,
    socket,
};
inline constexpr std::size_t kAttachments = 9;

}  // namespace opennd::fuzz

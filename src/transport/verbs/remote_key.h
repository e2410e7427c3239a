// SPDX-License-Identifier: MIT
// The rkey of verbs, a number, and the remote token of Network Direct, whose octets in memory are those of the number on the wire
// (IW-ND-05, IW-ND-07): programs send tokens as they are, and other programs of verbs send keys most significant octet first.
#pragma once

#include <bit>
#include <cstdint>

#include "model/token.h"

namespace opennd::verbs {

constexpr std::uint32_t exchange_octets(std::uint32_t number) {
    if constexpr (std::endian::native == std::endian::big) return number;
    return __builtin_bswap32(number);
}

constexpr Token to_token(std::uint32_t remote_key) { return static_cast<Token>(exchange_octets(remote_key)); }
constexpr std::uint32_t to_remote_key(Token token) { return exchange_octets(value(token)); }

// No device makes a key of ones: its index would be the last of all that 24 bits name.
inline constexpr Token kNamesNothing{0xFFFFFFFF};

}  // namespace opennd::verbs

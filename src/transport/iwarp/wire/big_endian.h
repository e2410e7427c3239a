// SPDX-License-Identifier: MIT
// Numbers as they lie in a frame: most significant octet first, at any alignment. Callers have checked that the octets
// are there.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace opennd::iwarp {

// The other order of its octets, where this processor has the least significant one first.
template <typename Integer>
constexpr Integer exchange_order(Integer value) {
    if constexpr (std::endian::native == std::endian::big || sizeof(Integer) == 1) return value;
    if constexpr (sizeof(Integer) == 2) return __builtin_bswap16(value);
    if constexpr (sizeof(Integer) == 4) return __builtin_bswap32(value);
    if constexpr (sizeof(Integer) == 8) return __builtin_bswap64(value);
}

// In one move, so that a reader of the octets next to it does not wait for many small ones.
template <typename Integer>
Integer load_big_endian(const std::byte* from) {
    Integer value;
    std::memcpy(&value, from, sizeof value);
    return exchange_order(value);
}

template <typename Integer>
void store_big_endian(std::byte* to, Integer value) {
    value = exchange_order(value);
    std::memcpy(to, &value, sizeof value);
}

// A field of an enumeration's type.
template <typename Number>
Number load_number(const std::byte* from) {
    return static_cast<Number>(load_big_endian<std::uint32_t>(from));
}

}  // namespace opennd::iwarp

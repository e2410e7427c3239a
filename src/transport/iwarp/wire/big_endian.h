// SPDX-License-Identifier: MIT
// Numbers as they lie in a frame: most significant octet first, at any alignment. Callers have checked that the octets
// are there.
#pragma once

#include <cstddef>
#include <cstdint>

namespace opennd::iwarp {

template <typename Integer>
Integer load_big_endian(const std::byte* from) {
    Integer value = 0;
    for (std::size_t i = 0; i < sizeof(Integer); ++i)
        value = static_cast<Integer>(value << 8 | std::to_integer<Integer>(from[i]));
    return value;
}

template <typename Integer>
void store_big_endian(std::byte* to, Integer value) {
    for (std::size_t i = sizeof(Integer); i > 0; --i) {
        to[i - 1] = static_cast<std::byte>(value & 0xff);
        value = static_cast<Integer>(value >> 8);
    }
}

// A field of an enumeration's type.
template <typename Number>
Number load_number(const std::byte* from) {
    return static_cast<Number>(load_big_endian<std::uint32_t>(from));
}

}  // namespace opennd::iwarp

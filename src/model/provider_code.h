// SPDX-License-Identifier: MIT
// How a provider numbers the causes of failures for faces that pass such numbers on (NDK-QP-COMP-04, NDK-CON-EVT-04).
#pragma once

#include <cstdint>

namespace opennd {

// Bits 31 to 24.
enum class ProviderWire : std::uint8_t { none = 0, shared_memory = 1, iwarp = 2, verbs = 3 };

// `cause`: 24 bits, in the numbers of that wire. 0 alone is no code at all.
constexpr std::uint32_t provider_code(ProviderWire wire, std::uint32_t cause) {
    return static_cast<std::uint32_t>(wire) << 24 | cause;
}

}  // namespace opennd

// SPDX-License-Identifier: MIT
// Crc32c: see crc32c.h.
#include "transport/iwarp/wire/crc32c.h"

#include <isa-l/crc.h>

#include <algorithm>

#include "transport/iwarp/wire/fpdu.h"

namespace opennd::iwarp {

void Crc32c::add(std::span<const std::byte> octets) {
    constexpr std::size_t kMost = 1 << 30;  // ISA-L takes the length as an int
    while (!octets.empty()) {
        const auto part = octets.first(std::min(octets.size(), kMost));
        // crc32_iscsi only reads the data, but its parameter is not const.
        auto* const data = const_cast<unsigned char*>(reinterpret_cast<const unsigned char*>(part.data()));
        state_ = ::crc32_iscsi(data, static_cast<int>(part.size()), state_);
        octets = octets.subspan(part.size());
    }
}

std::uint32_t load_crc(const std::byte* from) {
    std::uint32_t crc = 0;
    for (std::size_t i = kCrcBytes; i > 0; --i) crc = crc << 8 | std::to_integer<std::uint32_t>(from[i - 1]);
    return crc;
}

void store_crc(std::byte* to, std::uint32_t crc) {
    for (std::size_t i = 0; i < kCrcBytes; ++i, crc >>= 8) to[i] = static_cast<std::byte>(crc & 0xff);
}

}  // namespace opennd::iwarp

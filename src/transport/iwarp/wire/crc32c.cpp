// SPDX-License-Identifier: MIT
// Crc32c: see crc32c.h.
#include "transport/iwarp/wire/crc32c.h"

#include <isa-l/crc.h>

#include <algorithm>

#include "transport/iwarp/wire/crc32c_instruction.h"
#include "transport/iwarp/wire/fpdu.h"

namespace opennd::iwarp {
namespace {

// The longest FPDU for the instruction. In a loop ISA-L is quicker from some hundred octets on; between messages it was slower
// up to this length on the processor that was measured (docs/decisions/0041).
constexpr std::size_t kShortBytes = 8192;

const bool has_instruction = CrcInstruction::exists();

std::uint32_t by_library(std::uint32_t state, std::span<const std::byte> octets) {
    constexpr std::size_t kMost = 1 << 30;  // ISA-L takes the length as an int
    while (!octets.empty()) {
        const auto part = octets.first(std::min(octets.size(), kMost));
        // crc32_iscsi only reads the data, but its parameter is not const.
        auto* const data = const_cast<unsigned char*>(reinterpret_cast<const unsigned char*>(part.data()));
        state = ::crc32_iscsi(data, static_cast<int>(part.size()), state);
        octets = octets.subspan(part.size());
    }
    return state;
}

}  // namespace

bool has(CrcWay way) { return way == CrcWay::library || has_instruction; }

CrcWay crc_way(std::size_t bytes) {
    return has_instruction && bytes <= kShortBytes ? CrcWay::instruction : CrcWay::library;
}

std::uint32_t extend_crc(CrcWay way, std::uint32_t state, std::span<const std::byte> octets) {
    if (way == CrcWay::instruction) return CrcInstruction::extend(state, octets.data(), octets.size());
    return by_library(state, octets);
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

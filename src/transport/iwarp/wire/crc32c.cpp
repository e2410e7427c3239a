// SPDX-License-Identifier: MIT
// Crc32c: see crc32c.h.
#include "transport/iwarp/wire/crc32c.h"

#include <isa-l/crc.h>

#include <algorithm>
#include <atomic>

#include "transport/iwarp/wire/crc_by_processor.h"
#include "transport/iwarp/wire/fpdu.h"

namespace opennd::iwarp {
namespace {

const bool has_instruction = CrcInstruction::exists(), has_folding = CrcFolding::exists();

// Relaxed: each stands alone, and any value gives the same CRC.
std::atomic<std::size_t> longest_by_instruction{has_instruction ? kUsualInstructionBytes : 0};
std::atomic<CrcWay> way_of_longer{CrcWay::library};

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

bool has(CrcWay way) { return way == CrcWay::library || (way == CrcWay::instruction ? has_instruction : has_folding); }

CrcWay crc_way(std::size_t bytes) {
    if (bytes <= longest_by_instruction.load(std::memory_order_relaxed)) return CrcWay::instruction;
    return way_of_longer.load(std::memory_order_relaxed);
}

void set_crc_ways(std::size_t instruction_bytes, CrcWay longer) {
    way_of_longer.store(has(longer) ? longer : CrcWay::library, std::memory_order_relaxed);
    longest_by_instruction.store(has_instruction ? instruction_bytes : 0, std::memory_order_relaxed);
}

std::uint32_t extend_crc(CrcWay way, std::uint32_t state, std::span<const std::byte> octets) {
    switch (way) {
        case CrcWay::library: break;
        case CrcWay::instruction: return CrcInstruction::extend(state, octets.data(), octets.size());
        case CrcWay::folding: return CrcFolding::extend(state, octets.data(), octets.size());
    }
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

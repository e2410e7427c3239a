// SPDX-License-Identifier: MIT
// Crc32c: see crc32c.h.
#include "transport/iwarp/wire/crc32c.h"

#include <isa-l/crc.h>

#include <algorithm>
#include <atomic>
#include <cstring>

#include "transport/iwarp/wire/fpdu.h"

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <sys/auxv.h>
#endif

namespace opennd::iwarp {
namespace {

const bool has_instruction = CrcInstruction::exists();

// Relaxed: it stands alone, and any value gives the same CRC.
std::atomic<std::size_t> longest_by_instruction{has_instruction ? kUsualInstructionBytes : 0};

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

template <typename Integer>
[[maybe_unused]] inline Integer load(const std::byte* from) {
    Integer value;
    std::memcpy(&value, from, sizeof value);
    return value;
}

}  // namespace

bool has(CrcWay way) { return way == CrcWay::library || has_instruction; }

CrcWay crc_way(std::size_t bytes) {
    return bytes <= longest_by_instruction.load(std::memory_order_relaxed) ? CrcWay::instruction : CrcWay::library;
}

void set_instruction_bytes(std::size_t longest) {
    longest_by_instruction.store(has_instruction ? longest : 0, std::memory_order_relaxed);
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

#if defined(__x86_64__)

namespace {

// x to the power `exponent`, modulo the polynomial; the least power in the highest bit.
constexpr std::uint32_t power_of_x(std::size_t exponent) {
    std::uint32_t value = 0x80000000;
    for (std::size_t i = 0; i < exponent; ++i) value = value >> 1 ^ ((value & 1) != 0 ? 0x82f63b78u : 0);
    return value;
}

// The state of a piece before `bytes` octets of zero is its product with this: the product of two reflected numbers is one power
// of x too high, and the instruction that reduces it adds 32.
constexpr std::uint64_t shift_over(std::size_t bytes) { return power_of_x(8 * bytes - 33); }

[[gnu::target("sse4.2,pclmul"), gnu::always_inline]] inline __m128i product(std::uint64_t state, std::uint64_t shift) {
    return _mm_clmulepi64_si128(_mm_cvtsi64_si128(static_cast<long long>(state)),
                                _mm_cvtsi64_si128(static_cast<long long>(shift)), 0);
}

// Three pieces of kPieceBytes at once, as long as there are as many: the instruction takes three cycles, and one starts each cycle.
template <std::size_t kPieceBytes>
[[gnu::target("sse4.2,pclmul"), gnu::always_inline]] inline std::uint64_t extend_by_three(std::uint64_t state,
                                                                                          const std::byte*& octets,
                                                                                          std::size_t& bytes) {
    constexpr std::uint64_t kOverOne = shift_over(kPieceBytes), kOverTwo = shift_over(2 * kPieceBytes);
    for (; bytes >= 3 * kPieceBytes; octets += 3 * kPieceBytes, bytes -= 3 * kPieceBytes) {
        std::uint64_t second = 0, third = 0;
        for (std::size_t at = 0; at < kPieceBytes; at += sizeof(std::uint64_t)) {
            state = _mm_crc32_u64(state, load<std::uint64_t>(octets + at));
            second = _mm_crc32_u64(second, load<std::uint64_t>(octets + kPieceBytes + at));
            third = _mm_crc32_u64(third, load<std::uint64_t>(octets + 2 * kPieceBytes + at));
        }
        const __m128i both = _mm_xor_si128(product(state, kOverTwo), product(second, kOverOne));
        state = _mm_crc32_u64(0, static_cast<std::uint64_t>(_mm_cvtsi128_si64(both))) ^ third;
    }
    return state;
}

}  // namespace

bool CrcInstruction::exists() { return __builtin_cpu_supports("sse4.2") != 0 && __builtin_cpu_supports("pclmul") != 0; }

[[gnu::target("sse4.2,pclmul")]] std::uint32_t CrcInstruction::extend(std::uint32_t state, const std::byte* octets,
                                                                      std::size_t bytes) {
    std::uint64_t wide = extend_by_three<1024>(state, octets, bytes);
    wide = extend_by_three<256>(wide, octets, bytes);
    wide = extend_by_three<64>(wide, octets, bytes);
    for (; bytes >= 8; octets += 8, bytes -= 8) wide = _mm_crc32_u64(wide, load<std::uint64_t>(octets));
    auto rest = static_cast<std::uint32_t>(wide);
    if ((bytes & 4) != 0) rest = _mm_crc32_u32(rest, load<std::uint32_t>(octets));
    octets += bytes & 4;
    if ((bytes & 2) != 0) rest = _mm_crc32_u16(rest, load<std::uint16_t>(octets));
    octets += bytes & 2;
    if ((bytes & 1) != 0) rest = _mm_crc32_u8(rest, std::to_integer<std::uint8_t>(*octets));
    return rest;
}

#elif defined(__aarch64__)

bool CrcInstruction::exists() { return (::getauxval(AT_HWCAP) & (1ul << 7)) != 0; }  // HWCAP_CRC32

namespace {

// By the assembler: clang 14 has the functions of ARM's header only where the whole file may use the instruction.
template <typename Integer>
inline std::uint32_t step(std::uint32_t state, const std::byte* octets) {
    const Integer value = load<Integer>(octets);
    if constexpr (sizeof value == 8)
        asm(".arch_extension crc\n\tcrc32cx %w0, %w0, %x1" : "+r"(state) : "r"(value));
    else if constexpr (sizeof value == 4)
        asm(".arch_extension crc\n\tcrc32cw %w0, %w0, %w1" : "+r"(state) : "r"(value));
    else if constexpr (sizeof value == 2)
        asm(".arch_extension crc\n\tcrc32ch %w0, %w0, %w1" : "+r"(state) : "r"(std::uint32_t{value}));
    else
        asm(".arch_extension crc\n\tcrc32cb %w0, %w0, %w1" : "+r"(state) : "r"(std::uint32_t{value}));
    return state;
}

}  // namespace

std::uint32_t CrcInstruction::extend(std::uint32_t state, const std::byte* octets, std::size_t bytes) {
    for (; bytes >= 8; octets += 8, bytes -= 8) state = step<std::uint64_t>(state, octets);
    if ((bytes & 4) != 0) state = step<std::uint32_t>(state, octets);
    octets += bytes & 4;
    if ((bytes & 2) != 0) state = step<std::uint16_t>(state, octets);
    octets += bytes & 2;
    if ((bytes & 1) != 0) state = step<std::uint8_t>(state, octets);
    return state;
}

#else

bool CrcInstruction::exists() { return false; }
std::uint32_t CrcInstruction::extend(std::uint32_t state, const std::byte*, std::size_t) { return state; }

#endif

}  // namespace opennd::iwarp

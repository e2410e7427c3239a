// SPDX-License-Identifier: MIT
// CRC-32C by operations of x86-64 and of AArch64: see crc_by_processor.h.
#include "transport/iwarp/wire/crc_by_processor.h"

#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#include <sys/auxv.h>
#endif

namespace opennd::iwarp {
namespace {

template <typename Integer>
[[maybe_unused]] inline Integer load(const std::byte* from) {
    Integer value;
    std::memcpy(&value, from, sizeof value);
    return value;
}

// x to the power `exponent`, modulo the polynomial; the least power in the highest bit.
[[maybe_unused]] constexpr std::uint32_t power_of_x(std::size_t exponent) {
    std::uint32_t value = 0x80000000;
    for (std::size_t i = 0; i < exponent; ++i) value = value >> 1 ^ ((value & 1) != 0 ? 0x82f63b78u : 0);
    return value;
}

// The factors that move 128 folded bits over `bits` more: of the half that comes first, and of the other. The product of two reflected
// numbers is one power of x too high, and a factor in the low half of its register 32.
struct FoldingPair {
    std::uint64_t earlier, later;
};
[[maybe_unused]] constexpr FoldingPair folding_over(std::size_t bits) {
    return {power_of_x(bits + 64 - 33), power_of_x(bits - 33)};
}

}  // namespace

#if defined(__x86_64__)

namespace {

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

// ---- folding --------------------------------------------------------------------------------------------------------

namespace {

constexpr FoldingPair kOver128 = folding_over(128), kOver256 = folding_over(256), kOver512 = folding_over(512),
                      kOver1024 = folding_over(1024);
constexpr std::size_t kNarrowLeast = 64, kWideLeast = 256;

const bool has_wide_folding =
    __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("vpclmulqdq") != 0 && CrcFolding::exists();

[[gnu::target("sse4.2,pclmul"), gnu::always_inline]] inline __m128i narrow(const FoldingPair& pair) {
    return _mm_set_epi64x(static_cast<long long>(pair.later), static_cast<long long>(pair.earlier));
}
[[gnu::target("sse4.2,pclmul"), gnu::always_inline]] inline __m128i narrow(const std::byte* octets) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(octets));
}
[[gnu::target("sse4.2,pclmul"), gnu::always_inline]] inline __m128i fold(__m128i folded, __m128i over, __m128i next) {
    const __m128i earlier = _mm_clmulepi64_si128(folded, over, 0x00), later = _mm_clmulepi64_si128(folded, over, 0x11);
    return _mm_xor_si128(_mm_xor_si128(earlier, later), next);
}

// The state behind what was folded and the octets that are left.
[[gnu::target("sse4.2,pclmul")]] std::uint32_t finish_folding(__m128i folded, const std::byte* octets,
                                                              std::size_t bytes) {
    const __m128i over = narrow(kOver128);
    for (; bytes >= 16; octets += 16, bytes -= 16) folded = fold(folded, over, narrow(octets));
    std::uint64_t state = _mm_crc32_u64(0, static_cast<std::uint64_t>(_mm_cvtsi128_si64(folded)));
    state = _mm_crc32_u64(state, static_cast<std::uint64_t>(_mm_extract_epi64(folded, 1)));
    return CrcInstruction::extend(static_cast<std::uint32_t>(state), octets, bytes);
}

// Four at a time, so that none waits for the one before it.
[[gnu::target("sse4.2,pclmul")]] std::uint32_t extend_narrow(std::uint32_t state, const std::byte* octets,
                                                             std::size_t bytes) {
    __m128i first = _mm_xor_si128(narrow(octets), _mm_cvtsi32_si128(static_cast<int>(state)));
    __m128i second = narrow(octets + 16), third = narrow(octets + 32), fourth = narrow(octets + 48);
    octets += 64, bytes -= 64;
    const __m128i over_four = narrow(kOver512), over_one = narrow(kOver128);
    for (; bytes >= 64; octets += 64, bytes -= 64) {
        first = fold(first, over_four, narrow(octets));
        second = fold(second, over_four, narrow(octets + 16));
        third = fold(third, over_four, narrow(octets + 32));
        fourth = fold(fourth, over_four, narrow(octets + 48));
    }
    return finish_folding(fold(fold(fold(first, over_one, second), over_one, third), over_one, fourth), octets, bytes);
}

[[gnu::target("avx2,vpclmulqdq,pclmul"), gnu::always_inline]] inline __m256i wide(const FoldingPair& pair) {
    const auto later = static_cast<long long>(pair.later), earlier = static_cast<long long>(pair.earlier);
    return _mm256_set_epi64x(later, earlier, later, earlier);
}
[[gnu::target("avx2,vpclmulqdq,pclmul"), gnu::always_inline]] inline __m256i wide(const std::byte* octets) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(octets));
}
[[gnu::target("avx2,vpclmulqdq,pclmul"), gnu::always_inline]] inline __m256i fold(__m256i folded, __m256i over,
                                                                                  __m256i next) {
    const __m256i earlier = _mm256_clmulepi64_epi128(folded, over, 0x00),
                  later = _mm256_clmulepi64_epi128(folded, over, 0x11);
    return _mm256_xor_si256(_mm256_xor_si256(earlier, later), next);
}

[[gnu::target("avx2,vpclmulqdq,sse4.2,pclmul")]] std::uint32_t extend_wide(std::uint32_t state, const std::byte* octets,
                                                                           std::size_t bytes) {
    __m256i first = _mm256_xor_si256(wide(octets), _mm256_set_epi64x(0, 0, 0, state));
    __m256i second = wide(octets + 32), third = wide(octets + 64), fourth = wide(octets + 96);
    octets += 128, bytes -= 128;
    const __m256i over_four = wide(kOver1024), over_one = wide(kOver256);
    for (; bytes >= 128; octets += 128, bytes -= 128) {
        first = fold(first, over_four, wide(octets));
        second = fold(second, over_four, wide(octets + 32));
        third = fold(third, over_four, wide(octets + 64));
        fourth = fold(fourth, over_four, wide(octets + 96));
    }
    first = fold(fold(fold(first, over_one, second), over_one, third), over_one, fourth);
    const __m128i folded = fold(_mm256_castsi256_si128(first), narrow(kOver128), _mm256_extracti128_si256(first, 1));
    _mm256_zeroupper();  // so that narrow code behind it is not slowed down
    return finish_folding(folded, octets, bytes);
}

}  // namespace

bool CrcFolding::exists() { return CrcInstruction::exists(); }

std::uint32_t CrcFolding::extend(std::uint32_t state, const std::byte* octets, std::size_t bytes) {
    if (bytes < kNarrowLeast) return CrcInstruction::extend(state, octets, bytes);
    return has_wide_folding && bytes >= kWideLeast ? extend_wide(state, octets, bytes)
                                                   : extend_narrow(state, octets, bytes);
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

// ---- folding --------------------------------------------------------------------------------------------------------

namespace {

constexpr FoldingPair kOver128 = folding_over(128), kOver512 = folding_over(512);
constexpr std::size_t kLeast = 64;

uint64x2_t lanes(const FoldingPair& pair) { return uint64x2_t{pair.earlier, pair.later}; }
uint64x2_t lanes(const std::byte* octets) { return vld1q_u64(reinterpret_cast<const std::uint64_t*>(octets)); }

// By the assembler, as above.
inline uint64x2_t fold(uint64x2_t folded, uint64x2_t over, uint64x2_t next) {
    uint64x2_t earlier, later;
    asm(".arch_extension aes\n\tpmull %0.1q, %2.1d, %3.1d\n\tpmull2 %1.1q, %2.2d, %3.2d"
        : "=&w"(earlier), "=w"(later)
        : "w"(folded), "w"(over));
    return veorq_u64(veorq_u64(earlier, later), next);
}

}  // namespace

bool CrcFolding::exists() { return CrcInstruction::exists() && (::getauxval(AT_HWCAP) & (1ul << 4)) != 0; }  // PMULL

// Four at a time, so that none waits for the one before it.
std::uint32_t CrcFolding::extend(std::uint32_t state, const std::byte* octets, std::size_t bytes) {
    if (bytes < kLeast) return CrcInstruction::extend(state, octets, bytes);
    uint64x2_t first = veorq_u64(lanes(octets), uint64x2_t{state, 0});
    uint64x2_t second = lanes(octets + 16), third = lanes(octets + 32), fourth = lanes(octets + 48);
    octets += 64, bytes -= 64;
    const uint64x2_t over_four = lanes(kOver512), over_one = lanes(kOver128);
    for (; bytes >= 64; octets += 64, bytes -= 64) {
        first = fold(first, over_four, lanes(octets));
        second = fold(second, over_four, lanes(octets + 16));
        third = fold(third, over_four, lanes(octets + 32));
        fourth = fold(fourth, over_four, lanes(octets + 48));
    }
    first = fold(fold(fold(first, over_one, second), over_one, third), over_one, fourth);
    for (; bytes >= 16; octets += 16, bytes -= 16) first = fold(first, over_one, lanes(octets));
    const std::uint64_t folded[] = {vgetq_lane_u64(first, 0), vgetq_lane_u64(first, 1)};
    const auto* const left = reinterpret_cast<const std::byte*>(folded);
    return CrcInstruction::extend(CrcInstruction::extend(0, left, sizeof folded), octets, bytes);
}

#else

bool CrcInstruction::exists() { return false; }
std::uint32_t CrcInstruction::extend(std::uint32_t state, const std::byte*, std::size_t) { return state; }
bool CrcFolding::exists() { return false; }
std::uint32_t CrcFolding::extend(std::uint32_t state, const std::byte*, std::size_t) { return state; }

#endif

}  // namespace opennd::iwarp

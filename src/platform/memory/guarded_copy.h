// SPDX-License-Identifier: MIT
// Copies into and out of memory that a program has registered. It may be gone: unmapped, protected, or a file that was cut short or has
// no room. A copy that meets such a page stops and says so, where the processor's signal would end the process (ND2-MR-REG-07,
// docs/decisions/0074). Every access of the library to registered memory goes through here, or through the kernel.
#pragma once

#include <cstddef>
namespace opennd {

// Makes copies safe from here on: the handler of SIGSEGV and SIGBUS that ends them stands before the program's own, and hands on every
// fault that is no copy's. A handler that the program sets later stands in front until the next call of this. Any thread; cheap.
void guard_copies() noexcept;

// A copy of this thread failed just now: the first byte of the page that it could not have, or the byte that it was at.
const std::byte* absent_memory() noexcept;
// Whether that page lies in this range.
bool is_absent_in(const std::byte* begin, std::size_t bytes) noexcept;

// By a call, with a recovery point for this thread. For any length and every processor.
[[nodiscard]] bool copy_with_recovery(std::byte* to, const std::byte* from, std::size_t bytes);
// Stores 8 bytes (of an aligned word) or 1 with release order, with a recovery point as well.
[[nodiscard]] bool store_with_recovery(std::byte* to, const std::byte* from, std::size_t bytes);

// Sanitizers see a compiler's loads and stores, and not the instructions that are written here.
#if !defined(__x86_64__) || defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kHasGuardedMoves = false;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
inline constexpr bool kHasGuardedMoves = false;
#else
inline constexpr bool kHasGuardedMoves = true;
#endif
#else
inline constexpr bool kHasGuardedMoves = true;
#endif

#if defined(__x86_64__)
// Loads and stores between labels 1 and 2. A row of the section opennd_landings says where the handler lets a thread continue that
// failed there; they cost nothing else. A row is three distances from their own places: `?` keeps it with its function.
namespace guarded {

template <std::size_t kBytes>
using Bytes = std::byte[kBytes];
template <std::size_t kBytes>
[[gnu::always_inline]] inline Bytes<kBytes>& at(std::byte* place) {
    return *reinterpret_cast<Bytes<kBytes>*>(place);
}
template <std::size_t kBytes>
[[gnu::always_inline]] inline const Bytes<kBytes>& at(const std::byte* place) {
    return *reinterpret_cast<const Bytes<kBytes>*>(place);
}

[[gnu::always_inline]] inline bool move_byte(std::byte* to, const std::byte* from) {
    asm goto(
        "1:\tmovzbl %1, %%r11d\n\tmovb %%r11b, %0\n2:\n\t"
        ".pushsection opennd_landings,\"a?\",@progbits\n\t.long 1b-.,2b-.,%l[absent]-.\n\t.popsection"
        : "=m"(*to)
        : "m"(*from)
        : "r11"
        : absent);
    return true;
absent:
    return false;
}

[[gnu::always_inline]] inline bool move_word(std::byte* to, const std::byte* from) {
    asm goto(
        "1:\tmovq %1, %%r11\n\tmovq %%r11, %0\n2:\n\t"
        ".pushsection opennd_landings,\"a?\",@progbits\n\t.long 1b-.,2b-.,%l[absent]-.\n\t.popsection"
        : "=m"(at<8>(to))
        : "m"(at<8>(from))
        : "r11"
        : absent);
    return true;
absent:
    return false;
}

// From kBytes to twice as many: the first ones and the last ones, which overlap.
template <std::size_t kBytes>
bool move_ends(std::byte* to, const std::byte* from, std::size_t bytes);

template <>
[[gnu::always_inline]] inline bool move_ends<2>(std::byte* to, const std::byte* from, std::size_t bytes) {
    asm goto(
        "1:\tmovzwl %2, %%r10d\n\tmovzwl %3, %%r11d\n\tmovw %%r10w, %0\n\tmovw %%r11w, %1\n2:\n\t"
        ".pushsection opennd_landings,\"a?\",@progbits\n\t.long 1b-.,2b-.,%l[absent]-.\n\t.popsection"
        : "=m"(at<2>(to)), "=m"(at<2>(to + bytes - 2))
        : "m"(at<2>(from)), "m"(at<2>(from + bytes - 2))
        : "r10", "r11"
        : absent);
    return true;
absent:
    return false;
}

template <>
[[gnu::always_inline]] inline bool move_ends<4>(std::byte* to, const std::byte* from, std::size_t bytes) {
    asm goto(
        "1:\tmovl %2, %%r10d\n\tmovl %3, %%r11d\n\tmovl %%r10d, %0\n\tmovl %%r11d, %1\n2:\n\t"
        ".pushsection opennd_landings,\"a?\",@progbits\n\t.long 1b-.,2b-.,%l[absent]-.\n\t.popsection"
        : "=m"(at<4>(to)), "=m"(at<4>(to + bytes - 4))
        : "m"(at<4>(from)), "m"(at<4>(from + bytes - 4))
        : "r10", "r11"
        : absent);
    return true;
absent:
    return false;
}

template <>
[[gnu::always_inline]] inline bool move_ends<8>(std::byte* to, const std::byte* from, std::size_t bytes) {
    asm goto(
        "1:\tmovq %2, %%r10\n\tmovq %3, %%r11\n\tmovq %%r10, %0\n\tmovq %%r11, %1\n2:\n\t"
        ".pushsection opennd_landings,\"a?\",@progbits\n\t.long 1b-.,2b-.,%l[absent]-.\n\t.popsection"
        : "=m"(at<8>(to)), "=m"(at<8>(to + bytes - 8))
        : "m"(at<8>(from)), "m"(at<8>(from + bytes - 8))
        : "r10", "r11"
        : absent);
    return true;
absent:
    return false;
}

template <>
[[gnu::always_inline]] inline bool move_ends<16>(std::byte* to, const std::byte* from, std::size_t bytes) {
    asm goto(
        "1:\tmovups %2, %%xmm0\n\tmovups %3, %%xmm1\n\tmovups %%xmm0, %0\n\tmovups %%xmm1, %1\n2:\n\t"
        ".pushsection opennd_landings,\"a?\",@progbits\n\t.long 1b-.,2b-.,%l[absent]-.\n\t.popsection"
        : "=m"(at<16>(to)), "=m"(at<16>(to + bytes - 16))
        : "m"(at<16>(from)), "m"(at<16>(from + bytes - 16))
        : "xmm0", "xmm1"
        : absent);
    return true;
absent:
    return false;
}

template <>
[[gnu::always_inline]] inline bool move_ends<32>(std::byte* to, const std::byte* from, std::size_t bytes) {
    asm goto(
        "1:\tmovups (%6), %%xmm0\n\tmovups 16(%6), %%xmm1\n\tmovups (%7), %%xmm2\n\tmovups 16(%7), %%xmm3\n\t"
        "movups %%xmm0, (%4)\n\tmovups %%xmm1, 16(%4)\n\tmovups %%xmm2, (%5)\n\tmovups %%xmm3, 16(%5)\n2:\n\t"
        ".pushsection opennd_landings,\"a?\",@progbits\n\t.long 1b-.,2b-.,%l[absent]-.\n\t.popsection"
        : "=m"(at<32>(to)), "=m"(at<32>(to + bytes - 32))
        : "m"(at<32>(from)), "m"(at<32>(from + bytes - 32)), "r"(to), "r"(to + bytes - 32), "r"(from),
          "r"(from + bytes - 32)
        : "xmm0", "xmm1", "xmm2", "xmm3"
        : absent);
    return true;
absent:
    return false;
}

}  // namespace guarded

// Longer copies are quicker by the C library's vectors, in spite of the recovery point.
inline constexpr std::size_t kMovedBytes = 512;

namespace guarded {

// More than 32 bytes.
[[nodiscard, gnu::noinline]] inline bool copy_more(std::byte* to, const std::byte* from, std::size_t bytes) {
    if (bytes > kMovedBytes) return copy_with_recovery(to, from, bytes);
    for (; bytes > 64; to += 64, from += 64, bytes -= 64)
        if (!move_ends<32>(to, from, 64)) return false;
    return bytes >= 32 ? move_ends<32>(to, from, bytes) : move_ends<32>(to + bytes - 64, from + bytes - 64, 64);
}

[[nodiscard, gnu::always_inline]] inline bool copy(std::byte* to, const std::byte* from, std::size_t bytes) {
    if (bytes > 32) return copy_more(to, from, bytes);
    if (bytes >= 16) return move_ends<16>(to, from, bytes);
    if (bytes >= 8) return move_ends<8>(to, from, bytes);
    if (bytes >= 4) return move_ends<4>(to, from, bytes);
    if (bytes >= 2) return move_ends<2>(to, from, bytes);
    return bytes == 0 || move_byte(to, from);
}

}  // namespace guarded
#else
namespace guarded {

bool copy(std::byte* to, const std::byte* from, std::size_t bytes);
bool move_word(std::byte* to, const std::byte* from);
bool move_byte(std::byte* to, const std::byte* from);

}  // namespace guarded
#endif

// Returns false if some page could not be had; absent_memory() says where. A part may have been copied. The ranges do not overlap.
[[nodiscard, gnu::always_inline]] inline bool copy_guarded(std::byte* to, const std::byte* from, std::size_t bytes) {
    if constexpr (kHasGuardedMoves) return guarded::copy(to, from, bytes);
    return bytes == 0 || copy_with_recovery(to, from, bytes);
}

// The last bytes of a message, which programs poll: one store of 8 bytes (of an aligned word) or of 1, seen behind all stores before it.
// The instructions are in the order in which this processor shows stores.
[[nodiscard, gnu::always_inline]] inline bool store_last_word(std::byte* to, const std::byte* from) {
    if constexpr (kHasGuardedMoves) return guarded::move_word(to, from);
    return store_with_recovery(to, from, 8);
}
[[nodiscard, gnu::always_inline]] inline bool store_last_byte(std::byte* to, const std::byte* from) {
    if constexpr (kHasGuardedMoves) return guarded::move_byte(to, from);
    return store_with_recovery(to, from, 1);
}

}  // namespace opennd

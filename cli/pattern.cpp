// SPDX-License-Identifier: MIT
//
// Read pattern.h first.
#include "pattern.h"

#include <cstdio>
#include <cstring>
#include <stdexcept>

namespace nd {
namespace {

// Eight bytes of the pattern: a multiply and a shift mix the two numbers well enough that neighbours differ.
std::uint64_t word_at(std::uint64_t sequence, std::uint64_t index) {
    std::uint64_t mixed = (sequence + 1) * 0x9E3779B97F4A7C15u + index * 0xBF58476D1CE4E5B9u;
    mixed ^= mixed >> 31;
    return mixed * 0x94D049BB133111EBu;
}

constexpr std::size_t kWord = sizeof(std::uint64_t);

[[noreturn]] void report(const std::byte* buffer, std::size_t begin, std::size_t bytes, std::uint64_t expected,
                         std::uint64_t sequence, const char* what) {
    std::byte wanted[kWord];
    std::memcpy(wanted, &expected, kWord);
    std::size_t offset = 0;
    while (offset + 1 < bytes && buffer[begin + offset] == wanted[offset]) offset++;
    char text[200];
    std::snprintf(text, sizeof text, "verification failed: %s number %llu, byte %zu is 0x%02x instead of 0x%02x", what,
                  static_cast<unsigned long long>(sequence), begin + offset,
                  static_cast<unsigned>(buffer[begin + offset]), static_cast<unsigned>(wanted[offset]));
    throw std::runtime_error(text);
}

}  // namespace

void fill_pattern(std::byte* buffer, std::size_t bytes, std::uint64_t sequence) {
    const std::size_t words = bytes / kWord;
    for (std::size_t index = 0; index < words; index++) {
        const std::uint64_t word = word_at(sequence, index);
        std::memcpy(buffer + index * kWord, &word, kWord);
    }
    if (bytes % kWord == 0) return;
    const std::uint64_t rest = word_at(sequence, words);
    std::memcpy(buffer + words * kWord, &rest, bytes % kWord);
}

void verify_pattern(const std::byte* buffer, std::size_t bytes, std::uint64_t sequence, const char* what) {
    const std::size_t words = bytes / kWord;
    for (std::size_t index = 0; index < words; index++) {
        const std::uint64_t word = word_at(sequence, index);
        std::uint64_t found;
        std::memcpy(&found, buffer + index * kWord, kWord);
        if (found != word) report(buffer, index * kWord, kWord, word, sequence, what);
    }
    if (bytes % kWord == 0) return;
    const std::uint64_t rest = word_at(sequence, words);
    if (std::memcmp(buffer + words * kWord, &rest, bytes % kWord) != 0)
        report(buffer, words * kWord, bytes % kWord, rest, sequence, what);
}

void invert(std::byte* buffer, std::size_t bytes) {
    for (std::size_t i = 0; i < bytes; i++) buffer[i] = ~buffer[i];
}

}  // namespace nd

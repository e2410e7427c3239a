// SPDX-License-Identifier: MIT
// Which of many numbers are free.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <optional>

namespace opennd::local {

// Not thread-safe.
class FreeNumbers {
public:
    static constexpr std::uint32_t kMost = 64 * 64 * 2;

    // Makes the numbers below `count`, a multiple of 64, free.
    explicit FreeNumbers(std::uint32_t count) {
        for (std::uint32_t word = 0; word < count / 64; ++word) fill(word, ~std::uint64_t{0});
    }

    // Takes the first free number from `begin` on, below `end`. Returns nothing if none is free.
    std::optional<std::uint32_t> take_from(std::uint32_t begin, std::uint32_t end) {
        for (std::uint32_t number = begin; number < end; number = (number / 64 + 1) * 64) {
            const std::uint64_t free = words_[number / 64] >> number % 64 << number % 64;
            if (free == 0) continue;
            const std::uint32_t found = number / 64 * 64 + static_cast<std::uint32_t>(std::countr_zero(free));
            if (found >= end) break;
            take(found);
            return found;
        }
        return std::nullopt;
    }
    // Takes the lowest free number. Returns nothing if none is free.
    std::optional<std::uint32_t> take() {
        for (std::uint32_t group = 0; group < summary_.size(); ++group) {
            if (summary_[group] == 0) continue;
            const std::uint32_t word = group * 64 + static_cast<std::uint32_t>(std::countr_zero(summary_[group]));
            const auto bit = static_cast<std::uint32_t>(std::countr_zero(words_[word]));
            take(word * 64 + bit);
            return word * 64 + bit;
        }
        return std::nullopt;
    }
    // Takes this number, which is free.
    void take(std::uint32_t number) {
        std::uint64_t& word = words_[number / 64];
        word &= ~(std::uint64_t{1} << number % 64);
        if (word == 0) summary_[number / 64 / 64] &= ~(std::uint64_t{1} << number / 64 % 64);
    }
    void give(std::uint32_t number) { fill(number / 64, words_[number / 64] | std::uint64_t{1} << number % 64); }

    // Returns one more than the highest number below `limit` that is taken; 0: none.
    std::uint32_t end_of_taken(std::uint32_t limit) const {
        for (; limit > 0; limit = (limit - 1) / 64 * 64) {
            const std::uint32_t bits = (limit - 1) % 64 + 1;
            const std::uint64_t taken = ~words_[(limit - 1) / 64] << (64 - bits);
            if (taken != 0) return limit - static_cast<std::uint32_t>(std::countl_zero(taken));
        }
        return 0;
    }

private:
    void fill(std::uint32_t word, std::uint64_t bits) {
        words_[word] = bits;
        summary_[word / 64] |= std::uint64_t{1} << word % 64;
    }

    std::array<std::uint64_t, kMost / 64> words_{};         // a bit for each free number
    std::array<std::uint64_t, kMost / 64 / 64> summary_{};  // a bit for each word with a bit
};

}  // namespace opennd::local

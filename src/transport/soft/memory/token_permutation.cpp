// SPDX-License-Identifier: MIT
// Token permutation: see token_permutation.h.
#include "transport/soft/memory/token_permutation.h"

#include <sodium/crypto_shorthash.h>

#include <tuple>

namespace opennd::soft {

static_assert(std::tuple_size_v<TokenPermutation::Key> == crypto_shorthash_KEYBYTES);

std::uint32_t TokenPermutation::round_function(std::size_t round, std::uint32_t half) const {
    const std::array<unsigned char, 3> input{static_cast<unsigned char>(round), static_cast<unsigned char>(half >> 8),
                                             static_cast<unsigned char>(half)};
    std::array<unsigned char, crypto_shorthash_BYTES> output;
    crypto_shorthash(output.data(), input.data(), input.size(), key_.data());
    return std::uint32_t{output[0]} << 8 | output[1];
}

std::uint32_t TokenPermutation::operator()(std::uint32_t number) const {
    std::uint32_t left = number >> 16, right = number & 0xffff;
    for (std::size_t round = 0; round < kRounds; ++round) {
        const std::uint32_t mixed = left ^ round_function(round, right);
        left = right;
        right = mixed;
    }
    return left << 16 | right;
}

}  // namespace opennd::soft

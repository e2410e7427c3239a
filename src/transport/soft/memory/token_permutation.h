// SPDX-License-Identifier: MIT
// The keyed permutation of 32-bit numbers that remote tokens come from: numbers that were given tell nothing of the others,
// and no two numbers give one token (docs/decisions/0030). Next: token_table.h, which uses it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace opennd::soft {

// A Feistel network of two halves of 16 bits; SipHash-2-4 of the round and the half is the function of a round.
class TokenPermutation {
public:
    using Key = std::array<unsigned char, 16>;
    // The number of rounds, that of FF1 of NIST SP 800-38G.
    static constexpr std::size_t kRounds = 10;

    explicit TokenPermutation(const Key& key) : key_(key) {}

    std::uint32_t operator()(std::uint32_t number) const;

private:
    std::uint32_t round_function(std::size_t round, std::uint32_t half) const;

    Key key_;
};

}  // namespace opennd::soft

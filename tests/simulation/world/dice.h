// SPDX-License-Identifier: MIT
// Where every choice of a run comes from: the same seed gives the same choices, on any machine.
#pragma once

#include <bit>
#include <cstdint>

namespace opennd::simulation {

// xorshift64*, begun by a step of SplitMix64. Not thread-safe.
class Dice {
public:
    explicit Dice(std::uint64_t seed) {
        seed += 0x9E3779B97F4A7C15;
        seed = (seed ^ (seed >> 30)) * 0xBF58476D1CE4E5B9;
        seed = (seed ^ (seed >> 27)) * 0x94D049BB133111EB;
        state_ = (seed ^ (seed >> 31)) | 1;
    }

    std::uint64_t next() {
        state_ ^= state_ >> 12;
        state_ ^= state_ << 25;
        state_ ^= state_ >> 27;
        return state_ * 0x2545F4914F6CDD1D;
    }
    // 0 to limit - 1. `limit` is not 0.
    std::uint64_t below(std::uint64_t limit) { return (next() >> 11) % limit; }
    std::uint64_t between(std::uint64_t least, std::uint64_t most) { return least + below(most - least + 1); }
    // True once in `of` throws; 0: never.
    bool once_in(std::uint64_t of) { return of != 0 && below(of) == 0; }
    // Small and large alike: each number of digits is as likely as any other. `least` is not 0.
    std::uint64_t of_any_size(std::uint64_t least, std::uint64_t most) {
        const std::uint64_t bits = between(std::bit_width(least), std::bit_width(most));
        const std::uint64_t low = bits == 0 ? 0 : std::uint64_t{1} << (bits - 1);
        const std::uint64_t value = low + below(low == 0 ? 1 : low);
        return value < least ? least : value > most ? most : value;
    }

private:
    std::uint64_t state_;
};

}  // namespace opennd::simulation

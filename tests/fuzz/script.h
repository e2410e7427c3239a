// SPDX-License-Identifier: MIT
// A fuzzer's input read as a script: the next step of each side, and its numbers. Past the end everything is zero, so
// that every prefix of a script is one.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>

namespace opennd::fuzz {

// An invariant that did not hold ends the process, for the fuzzer to see.
inline void require(bool holds, const char* invariant) {
    if (holds) return;
    std::fprintf(stderr, "fuzz: broken: %s\n", invariant);
    std::abort();
}

class Script {
public:
    explicit Script(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

    bool over() const { return bytes_.empty(); }

    std::uint8_t byte() {
        if (bytes_.empty()) return 0;
        const std::uint8_t value = bytes_[0];
        bytes_ = bytes_.subspan(1);
        return value;
    }
    template <typename Integer>
    Integer raw() {
        std::uint64_t value = 0;
        for (std::size_t i = 0; i < sizeof(Integer); ++i) value |= std::uint64_t{byte()} << (8 * i);
        return static_cast<Integer>(value);
    }
    std::size_t below(std::size_t limit) { return byte() % limit; }
    // The next octets, at most `most`.
    std::span<const std::byte> octets(std::size_t most) {
        const auto taken = std::as_bytes(bytes_.first(std::min(most, bytes_.size())));
        bytes_ = bytes_.subspan(taken.size());
        return taken;
    }

    // A length, count or offset: one at the edge of something, or any.
    std::uint32_t number() {
        const std::uint8_t choice = byte();
        return choice < kEdges.size() ? kEdges[choice] : raw<std::uint32_t>();
    }

    // The values that number() chooses from.
    static constexpr std::array<std::uint32_t, 24> kEdges{
        0,    1,     2,     8,     16,    32,    64,    95,      96,         97,         272,        273,
        4096, 16383, 16384, 16385, 20000, 32768, 40000, 1 << 20, 0x7fffffff, 0x80000000, 0xfffffff0, 0xffffffff};

private:
    std::span<const std::uint8_t> bytes_;
};

}  // namespace opennd::fuzz

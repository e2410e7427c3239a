// SPDX-License-Identifier: MIT
// The check values of 2.4, and that nothing outside the octets is read.
#include "transport/iwarp/wire/crc32c.h"

#include <gtest/gtest.h>

#include <array>
#include <string_view>
#include <vector>

#include "support/requirement.h"

namespace opennd::iwarp {
namespace {

using support::proves;

std::uint32_t crc_of(std::span<const std::byte> octets) {
    Crc32c crc(octets.size());
    crc.add(octets);
    return crc.value();
}

// One octet and one bit at a time, as the polynomial is defined.
std::uint32_t slow_step(std::uint32_t state, std::byte octet) {
    state ^= std::to_integer<std::uint32_t>(octet);
    for (int bit = 0; bit < 8; ++bit) state = state >> 1 ^ ((state & 1) != 0 ? 0x82f63b78u : 0);
    return state;
}

std::uint32_t slow_crc_of(std::span<const std::byte> octets) {
    std::uint32_t state = 0xffffffff;
    for (const std::byte octet : octets) state = slow_step(state, octet);
    return ~state;
}

TEST(Crc32c, HasTheCheckValues) {
    constexpr std::string_view kDigits = "123456789";
    EXPECT_EQ(crc_of(std::as_bytes(std::span(kDigits))), 0xe3069283);
    EXPECT_EQ(crc_of(std::array<std::byte, 32>{}), 0x8a9136aa);
    EXPECT_EQ(crc_of({}), 0u);
}

TEST(Crc32c, StandsOnTheWireLeastSignificantOctetFirst) {
    std::array<std::byte, 4> octets;
    store_crc(octets.data(), 0xe3069283);
    EXPECT_EQ(octets, (std::array{std::byte{0x83}, std::byte{0x92}, std::byte{0x06}, std::byte{0xe3}}));
    EXPECT_EQ(load_crc(octets.data()), 0xe3069283);
}

// Every way that this processor has, about each length at which a way changes its step.
TEST(Crc32c, IsTheSameByEachWay) {
    proves("IW-PERF-12", "IW-PERF-13");
    std::vector<std::byte> octets(9000);
    for (std::size_t i = 0; i < octets.size(); ++i) octets[i] = static_cast<std::byte>(i * 37 + (i >> 5));
    ASSERT_TRUE(has(CrcWay::library));
    for (const CrcWay way : {CrcWay::library, CrcWay::instruction, CrcWay::folding}) {
        if (!has(way)) continue;
        for (std::size_t bytes = 0; bytes < 8500; bytes += bytes < 1100 ? 1 : 61) {
            const auto part = std::span<const std::byte>(octets).subspan(bytes % 9, bytes);
            for (const std::uint32_t state : {0xffffffffu, 0u, 0x12345678u}) {
                std::uint32_t expected = state;
                for (const std::byte octet : part) expected = slow_step(expected, octet);
                ASSERT_EQ(extend_crc(way, state, part), expected) << bytes << ' ' << state;
            }
        }
    }
}

TEST(Crc32c, DoesNotDependOnPortionsOrAlignment) {
    std::vector<std::byte> octets(3000);
    for (std::size_t i = 0; i < octets.size(); ++i) octets[i] = static_cast<std::byte>(i * 31 + (i >> 7));
    for (std::size_t from = 0; from < 9; ++from)
        for (const std::size_t bytes : {1, 3, 7, 8, 9, 31, 64, 255, 256, 257, 1448, 2048}) {
            const auto part = std::span(octets).subspan(from, bytes);
            Crc32c portions(bytes);
            portions.add(part.first(bytes / 3));
            portions.add({});
            portions.add(part.subspan(bytes / 3));
            EXPECT_EQ(portions.value(), slow_crc_of(part)) << from << ' ' << bytes;
            EXPECT_EQ(crc_of(part), slow_crc_of(part)) << from << ' ' << bytes;
        }
}

}  // namespace
}  // namespace opennd::iwarp

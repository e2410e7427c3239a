// SPDX-License-Identifier: MIT
#include "transport/soft/token_table.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <functional>
#include <random>
#include <unordered_set>
#include <vector>

#include "support/requirement.h"

namespace opennd::soft {
namespace {

using support::proves;

std::uint32_t next_remote(TokenTable& table) { return value(table.reserve({}).take().remote); }

std::vector<std::uint32_t> remotes(TokenTable& table, std::size_t count) {
    std::vector<std::uint32_t> tokens(count);
    for (std::uint32_t& token : tokens) token = next_remote(table);
    return tokens;
}

TEST(TokenTable, GivesRemoteTokensThatDoNotTellTheNext) {
    proves("IW-SEC-01", "ND2-MR-TOK-03", "IW-RDMAP-45");
    constexpr std::size_t kTokens = 4000;
    TokenTable first = TokenTable::create().take(), second = TokenTable::create().take();
    const std::vector<std::uint32_t> tokens = remotes(first, kTokens), others = remotes(second, kTokens);
    EXPECT_NE(tokens, others) << "no two tables are alike";
    std::unordered_set<std::uint32_t> distances;
    std::vector<std::size_t> set_bits(32);
    for (std::size_t i = 1; i < kTokens; ++i) {
        distances.insert(tokens[i] - tokens[i - 1]);
        for (std::size_t bit = 0; bit < 32; ++bit) set_bits[bit] += tokens[i] >> bit & 1;
    }
    EXPECT_GT(distances.size(), kTokens * 99 / 100);
    for (std::size_t bit = 0; bit < 32; ++bit) {  // eight standard deviations
        EXPECT_GT(set_bits[bit], kTokens / 2 - 256) << bit;
        EXPECT_LT(set_bits[bit], kTokens / 2 + 256) << bit;
    }
}

std::size_t resident_bytes(const TokenTable& table) {
    struct stat file {};
    EXPECT_EQ(fstat(table.memory().descriptor(), &file), 0);
    return static_cast<std::size_t>(file.st_blocks) * 512;
}

TEST(TokenTable, IsNotMadeRealByGuesses) {
    TokenTable table = TokenTable::create().take();
    const TokenTable::Tokens live = table.reserve({}).take();
    table.enable(live);
    const std::size_t before = resident_bytes(table);
    const PeerTokenTable peers = PeerTokenTable::own(table);
    std::mt19937 random(1);
    for (int guess = 0; guess < 20'000; ++guess) {
        const auto token = static_cast<Token>(random());
        MemoryGrant grant;
        EXPECT_FALSE(table.find_remote(token, grant));
        EXPECT_FALSE(table.use_remote(token));
        EXPECT_NE(peers.slot(token).remote_token.load(), value(token));
    }
    EXPECT_EQ(resident_bytes(table), before);
    EXPECT_EQ(peers.slot(live.remote).remote_token.load(), value(live.remote));
}

// Whatever the key: of 4,000 numbers in a row, or so far apart, each bit of the results is set in half.
TEST(TokenPermutation, LeavesNoTraceOfTheOrder) {
    proves("IW-SEC-01");
    constexpr std::uint32_t kNumbers = 4000;
    std::mt19937_64 random(1);
    for (int keys = 0; keys < 500; ++keys) {
        TokenPermutation::Key key;
        std::ranges::generate(key, std::ref(random));
        for (const std::uint32_t stride : {1u, 1u << 16, 1u << 20}) {
            std::array<std::uint32_t, 32> set_bits{};
            for (std::uint32_t i = 0; i < kNumbers; ++i) {
                const std::uint32_t token = TokenPermutation::forward(key, i * stride);
                ASSERT_EQ(TokenPermutation::backward(key, token), i * stride);
                for (std::size_t bit = 0; bit < 32; ++bit) set_bits[bit] += token >> bit & 1;
            }
            for (const std::uint32_t set : set_bits) {  // seven standard deviations
                ASSERT_GT(set, kNumbers / 2 - 221) << "stride " << stride;
                ASSERT_LT(set, kNumbers / 2 + 221) << "stride " << stride;
            }
        }
    }
}

TEST(TokenTable, GivesNoTokenTwiceSoon) {
    proves("IW-SEC-02", "IW-SEC-03");
    TokenTable table = TokenTable::create().take();
    std::unordered_set<std::uint32_t> seen;
    for (std::size_t i = 0; i <= 1u << 16; ++i) {
        const TokenTable::Tokens tokens = table.reserve({}).take();
        table.enable(tokens);
        ASSERT_TRUE(seen.insert(value(tokens.remote)).second) << "after " << i;
        table.remove(tokens.local);
        table.release(tokens.local);
    }
    EXPECT_FALSE(seen.contains(0));
}

TEST(TokenTable, GrantsNothingByAnyOtherToken) {
    proves("IW-SEC-03");
    TokenTable table = TokenTable::create().take();
    const TokenTable::Tokens reserved = table.reserve({}).take(), alive = table.reserve({}).take();
    table.enable(alive);
    MemoryGrant grant;
    EXPECT_FALSE(table.find_remote(Token::none, grant));
    EXPECT_FALSE(table.find_remote(reserved.remote, grant)) << "not yet";
    EXPECT_TRUE(table.find_remote(alive.remote, grant));
    EXPECT_FALSE(table.find_remote(alive.local, grant)) << "good for this program alone";
    for (std::uint32_t bit = 0; bit < 32; ++bit)
        EXPECT_FALSE(table.find_remote(static_cast<Token>(value(alive.remote) ^ 1u << bit), grant));
    table.remove(alive.local);
    EXPECT_FALSE(table.find_remote(alive.remote, grant));
}

}  // namespace
}  // namespace opennd::soft

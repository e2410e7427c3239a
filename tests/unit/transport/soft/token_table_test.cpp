// SPDX-License-Identifier: MIT
#include "transport/soft/memory/token_table.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <memory>
#include <random>
#include <span>
#include <thread>
#include <unordered_set>
#include <vector>

#include "platform/memory/lazy_array.h"
#include "process/child.h"
#include "support/no_new_memory.h"
#include "support/requirement.h"
#include "transport/soft/memory/resolved_memory.h"

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

// Keys of devices have an index that counts above 8 other bits; as tokens their octets are exchanged. Those of siw begin anywhere.
TEST(TokenTable, TakesTokensThatADeviceHasChosen) {
    proves("ND2-MR-TOK-03");
    using Key = std::uint32_t (*)(std::uint32_t index);
    constexpr std::uint32_t kRegions = 20'000;
    for (const Key key :
         {Key([](std::uint32_t index) { return __builtin_bswap32(index << 8 | 7); }),
          Key([](std::uint32_t index) { return __builtin_bswap32((0xAC00 + index) << 8 | (index * 37 & 255)); }),
          Key([](std::uint32_t index) { return index << 8; }),
          Key([](std::uint32_t index) { return __builtin_bswap32(index * 2654435761u << 8); })}) {
        TokenTable table = TokenTable::create().take();
        std::vector<TokenTable::Tokens> taken;
        for (std::uint32_t index = 1; index <= kRegions; ++index) {
            const auto tokens = table.reserve({index, 1, Access::none, {}}, Token{key(index)});
            ASSERT_TRUE(tokens.ok()) << index;
            table.enable(tokens.value());
            taken.push_back(tokens.value());
        }
        const PeerTokenTable peer = PeerTokenTable::own(table);
        for (std::uint32_t index = 1; index <= kRegions; ++index) {
            MemoryGrant grant;
            ASSERT_TRUE(table.find_remote(Token{key(index)}, grant));
            ASSERT_EQ(grant.address, index);
            ASSERT_EQ(peer.slot(Token{key(index)}).address.load(), index);
        }
        table.remove(taken[0].local);
        table.release(taken[0].local);
        EXPECT_TRUE(table.reserve({}, Token{key(1)}).ok()) << "the device gives a key again";
    }
}

TEST(TokenTable, RefusesAChosenTokenThatItHas) {
    proves("ND2-MR-TOK-03");
    TokenTable table = TokenTable::create().take();
    const std::uint32_t drawn = next_remote(table);
    EXPECT_EQ(table.reserve({}, Token{drawn}).status(), Status::insufficient_resources);
    ASSERT_TRUE(table.reserve({}, Token{42}).ok());
    EXPECT_EQ(table.reserve({}, Token{42}).status(), Status::insufficient_resources);
    EXPECT_TRUE(table.reserve({}).ok()) << "a refusal takes no slot";
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

std::size_t found(const PeerTokenTable& peers, std::span<const TokenTable::Tokens> tokens) {
    return static_cast<std::size_t>(std::ranges::count_if(tokens, [&](const TokenTable::Tokens& token) {
        return peers.slot(token.remote).remote_token.load() == value(token.remote);
    }));
}

// However many there are, and after any of them were given back.
TEST(TokenTable, FindsEachLiveTokenHereAndAtPeers) {
    constexpr std::size_t kTokens = 100'000;
    TokenTable table = TokenTable::create().take();
    const PeerTokenTable peers = PeerTokenTable::own(table);
    std::vector<TokenTable::Tokens> tokens;
    for (std::size_t i = 0; i < kTokens; ++i) {
        MemoryGrant grant;
        grant.address = i;
        tokens.push_back(table.reserve(grant).take());
        table.enable(tokens.back());
        if (std::has_single_bit(i)) {
            ASSERT_EQ(found(peers, tokens), i + 1);
        }
    }
    for (std::size_t i = 0; i < kTokens; i += 2) {
        table.remove(tokens[i].local);
        table.release(tokens[i].local);
    }
    EXPECT_EQ(found(peers, tokens), kTokens / 2);
    for (std::size_t i = 0; i < kTokens; ++i) {
        MemoryGrant grant;
        ASSERT_EQ(table.find_remote(tokens[i].remote, grant), i % 2 == 1) << i;
        if (i % 2 == 1) {
            ASSERT_EQ(grant.address, i);
        }
    }
    for (std::size_t i = 0; i < kTokens; i += 2) {
        tokens[i] = table.reserve({}).take();
        table.enable(tokens[i]);
    }
    EXPECT_EQ(found(peers, tokens), kTokens);
}

// While the table grows under them, threads find each token that they were told of, and no other number.
TEST(TokenTable, IsLookedIntoWhileItGrows) {
    constexpr std::size_t kTokens = 20'000, kReaders = 3;
    TokenTable table = TokenTable::create().take();
    const PeerTokenTable peers = PeerTokenTable::own(table);
    std::vector<TokenTable::Tokens> tokens(kTokens);
    std::atomic<std::size_t> told{0};
    std::atomic<std::size_t> missed{0};
    std::vector<std::jthread> readers;
    for (std::size_t reader = 0; reader < kReaders; ++reader)
        readers.emplace_back([&, reader] {
            std::mt19937 random(static_cast<unsigned>(reader));
            for (std::size_t known = 0; known < kTokens;) {
                known = told.load(std::memory_order_acquire);
                if (known == 0) continue;
                const TokenTable::Tokens& token = tokens[random() % known];
                MemoryGrant grant;
                if (!table.find_remote(token.remote, grant)) ++missed;
                if (found(peers, std::span(&token, 1)) != 1 ||
                    found(peers, std::span(tokens).subspan(known - 1, 1)) != 1)
                    ++missed;
            }
        });
    for (std::size_t i = 0; i < kTokens; ++i) {
        const TokenTable::Tokens passing = table.reserve({}).take();
        tokens[i] = table.reserve({}).take();
        table.enable(tokens[i]);
        told.store(i + 1, std::memory_order_release);
        table.release(passing.local);
    }
    readers.clear();
    EXPECT_EQ(missed, 0u);
}

// A peer's header is its own word: nothing outside the directory is read, and nothing outside the slots is named.
TEST(TokenDirectory, StaysInsideWhateverAPeerWrites) {
    const LazyArray<TokenDirectory::Entry> entries =
        lazily_committed<TokenDirectory::Entry>(TokenDirectory::kBytes / sizeof(TokenDirectory::Entry));
    std::mt19937 random(1);
    for (const std::uint32_t level :
         {0u, 1u, 255u, TokenDirectory::kLargestLevel, 2 * TokenDirectory::kLargestLevel, 1u << 31, 0xffffffffu})
        for (int i = 0; i < 1000; ++i) EXPECT_EQ(TokenDirectory::find(entries.get(), level, random()), 0u) << level;
}

TokenPermutation permutation_of(std::mt19937_64& random) {
    TokenPermutation::Key key;
    for (unsigned char& octet : key) octet = static_cast<unsigned char>(random());
    return TokenPermutation(key);
}

// A function that is none gives some hundred of a million numbers twice.
TEST(TokenPermutation, GivesNoNumberTwice) {
    proves("IW-SEC-02");
    constexpr std::uint32_t kNumbers = 1u << 20;
    std::mt19937_64 random(1);
    const TokenPermutation permutation = permutation_of(random);
    for (const std::uint32_t stride : {1u, 1u << 12}) {
        std::vector<std::uint32_t> results(kNumbers);
        for (std::uint32_t i = 0; i < kNumbers; ++i) results[i] = permutation(i * stride);
        std::ranges::sort(results);
        EXPECT_EQ(std::ranges::adjacent_find(results), results.end()) << "stride " << stride;
    }
}

// For every key: of 4,000 numbers in a row, or equally far apart, each bit of the results is set in half.
TEST(TokenPermutation, LeavesNoTraceOfTheOrder) {
    proves("IW-SEC-01");
    constexpr std::uint32_t kNumbers = 4000;
    std::mt19937_64 random(1);
    for (int keys = 0; keys < 50; ++keys) {
        const TokenPermutation permutation = permutation_of(random);
        for (const std::uint32_t stride : {1u, 1u << 16, 1u << 20}) {
            std::array<std::uint32_t, 32> set_bits{};
            for (std::uint32_t i = 0; i < kNumbers; ++i) {
                const std::uint32_t token = permutation(i * stride);
                for (std::size_t bit = 0; bit < 32; ++bit) set_bits[bit] += token >> bit & 1;
            }
            for (const std::uint32_t set : set_bits) {  // seven standard deviations
                ASSERT_GT(set, kNumbers / 2 - 221) << "stride " << stride;
                ASSERT_LT(set, kNumbers / 2 + 221) << "stride " << stride;
            }
        }
    }
}

// One bit of the number, or of the key, changes each bit of the result in half of the cases.
TEST(TokenPermutation, SpreadsEachBitOverAll) {
    proves("IW-SEC-01");
    constexpr std::size_t kCases = 4000;
    std::mt19937_64 random(1);
    for (std::size_t bit = 0; bit < 32 + 128; ++bit) {
        std::array<std::size_t, 32> changed{};
        for (std::size_t i = 0; i < kCases; ++i) {
            TokenPermutation::Key key;
            for (unsigned char& octet : key) octet = static_cast<unsigned char>(random());
            const auto number = static_cast<std::uint32_t>(random());
            const std::uint32_t before = TokenPermutation(key)(number);
            if (bit >= 32) key[(bit - 32) / 8] = static_cast<unsigned char>(key[(bit - 32) / 8] ^ 1u << bit % 8);
            const std::uint32_t after = TokenPermutation(key)(bit < 32 ? number ^ 1u << bit : number);
            for (std::size_t to = 0; to < 32; ++to) changed[to] += (before ^ after) >> to & 1;
        }
        for (const std::size_t count : changed) {  // seven standard deviations
            ASSERT_GT(count, kCases / 2 - 221) << "bit " << bit;
            ASSERT_LT(count, kCases / 2 + 221) << "bit " << bit;
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
    EXPECT_TRUE(table.find_local(alive.local, grant));
    table.remove(alive.local);
    EXPECT_FALSE(table.find_remote(alive.remote, grant));
    EXPECT_FALSE(table.find_local(alive.local, grant));
}

TEST(MemoryGrant, CoversItsBytesAndNotOneMore) {
    proves("ND2-QP-RDMA-04");
    MemoryGrant grant;
    grant.address = 1000;
    grant.length = 10;
    EXPECT_TRUE(grant.covers(1000, 10));
    EXPECT_TRUE(grant.covers(1009, 1));
    EXPECT_FALSE(grant.covers(1000, 11));
    EXPECT_FALSE(grant.covers(1009, 2));
    EXPECT_FALSE(grant.covers(999, 1));
    EXPECT_FALSE(grant.covers(1010, 1));
    EXPECT_FALSE(grant.covers(1005, ~std::uint64_t{0}));
    EXPECT_FALSE(grant.covers(~std::uint64_t{0}, 10));
}

std::unique_ptr<const PagedMemory> one_page() {
    static const std::vector<std::uint64_t> kPages{0x5000};
    return std::make_unique<const PagedMemory>(PageList{kPages, 0, 0, kPageBytes}, Access::none, false);
}

class TokensOfPages : public testing::Test {
protected:
    TokensOfPages() {
        table_.set_pages(tokens_, one_page());
        table_.enable(tokens_);
    }

    TokenTable table_ = TokenTable::create().take();
    TokenTable::Tokens tokens_ = table_.reserve({}).take();
};

TEST_F(TokensOfPages, NameNothingOnceTheyAreDead) {
    proves("NDK-QP-FREG-01", "ND2-MR-TOK-03");
    EXPECT_TRUE(table_.use_local(tokens_.local));
    EXPECT_TRUE(table_.use_remote(tokens_.remote));
    table_.remove(tokens_.local);
    EXPECT_FALSE(table_.use_local(tokens_.local)) << "though the pages are there until the slot is released";
    EXPECT_FALSE(table_.use_remote(tokens_.remote));
}

// A use that is longer than all these turns would let a table go that does not wait.
TEST_F(TokensOfPages, KeepThePagesWhileSomebodyUsesThem) {
    proves("ND2-QP-FLUSH-05");
    constexpr int kTurns = 1000;
    PageUse use = table_.use_local(tokens_.local);
    ASSERT_TRUE(use);
    table_.remove(tokens_.local);
    std::atomic<bool> begun{false}, dropped{false};
    std::jthread owner([&] {
        begun = true;
        table_.drop_pages(tokens_.local);
        dropped = true;
    });
    while (!begun) std::this_thread::yield();
    for (int turn = 0; turn < kTurns; ++turn) {
        std::this_thread::yield();
        ASSERT_FALSE(dropped);
    }
    use = {};
    owner.join();
    EXPECT_TRUE(dropped);
}

TEST_F(TokensOfPages, LeaveNoPagesToThePlainMemoryThatHasTheSlotNext) {
    proves("NDK-MR-REG-03");
    constexpr std::size_t kTokens = 200;  // more than rest before they are given again
    const PeerTokenTable peers = PeerTokenTable::own(table_);
    std::vector<TokenTable::Tokens> paged;
    for (std::size_t i = 0; i < kTokens; ++i) {
        paged.push_back(table_.reserve({}).take());
        table_.set_pages(paged.back(), one_page());
    }
    for (const TokenTable::Tokens& tokens : paged) table_.release(tokens.local);
    for (std::size_t i = 0; i < kTokens; ++i)
        ASSERT_EQ(peers.slot(table_.reserve({}).take().remote).paged_length, 0u) << i;
}

// Each page is a place of its own.
TEST_F(TokensOfPages, AreRefusedToAPeerWhereNoMemoryIsLeftForTheirPlaces) {
    proves("ND2-GEN-02");
    if (!support::NoNewMemory::kIsPossible) GTEST_SKIP() << "the sanitizer takes memory, too";
    process::in_child([this] {
        constexpr std::size_t kPages = (1u << 20) - 1;
        constexpr std::uint32_t kBytes = kPages * kPageBytes;
        std::vector<std::uint64_t> pages(kPages);
        for (std::size_t i = 0; i < kPages; ++i) pages[i] = 2 * (i + 1) * kPageBytes;
        table_.set_pages(
            tokens_, std::make_unique<const PagedMemory>(PageList{pages, 0, 0, kBytes}, Access::remote_read, false));
        std::span<const Sge> places;
        const auto resolves = [&] {
            ResolvedMemory memory;
            return memory.resolve_remote(table_, tokens_.remote, 0, kBytes, Access::remote_read, places);
        };
        bool without = true;
        {
            const support::NoNewMemory none;
            without = resolves();
        }
        EXPECT_FALSE(without);
        EXPECT_TRUE(places.empty());
        EXPECT_TRUE(resolves());
    });
}

TEST(TokenTable, UsesSlotsAgain) {
    TokenTable table = TokenTable::create().take();
    const auto pass_through = [&table](std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) table.release(table.reserve({}).take().local);
    };
    pass_through(200);
    const std::size_t before = resident_bytes(table);
    pass_through(5000);
    EXPECT_EQ(resident_bytes(table), before);
}

TEST(TokenTable, OfAPeerIsTakenOnlyIfItIsOne) {
    proves("ND2-CON-CONN-05");
    const auto copy = [](const SharedMemory& memory) { return Descriptor(dup(memory.descriptor())); };
    const SharedMemory zeros = SharedMemory::create("opennd-test", TokenTable::kBytes).take();
    EXPECT_EQ(PeerTokenTable::map(copy(zeros)).status(), Status::access_violation);
    const TokenTable table = TokenTable::create().take();
    const auto mapped = PeerTokenTable::map(copy(table.memory()));
    ASSERT_TRUE(mapped.ok());
    EXPECT_EQ(mapped.value().cookie(), table.cookie());
}

}  // namespace
}  // namespace opennd::soft

// SPDX-License-Identifier: MIT
// The way from a remote token to its slot of a token table: a hash table in the memory that the table shares, so that
// peers on this host need no key to look a token up. Tokens are random numbers; their low bits choose the bucket. Those that a
// device has chosen count upwards: a hash scatters them, and a reader looks there where the first bucket has no such token.
//
// A level is an array of buckets; the level of n entries begins at entry n of the directory, so that levels do not
// overlap. The owner of the table fills a level of twice the size before it tells readers of it; the smaller one stays
// as it was.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace opennd::soft {

class TokenDirectory {
public:
    // An entry has the token above, its slot below; 0: none. Relaxed: an entry is right by itself, and a token reaches
    // its user after its entry was stored. The owner's lock guards changes (TokenTable::Owner).
    using Entry = std::atomic<std::uint64_t>;

    static constexpr std::uint32_t kBucket = 8;  // entries of one cache line
    static constexpr std::uint32_t kSmallestLevel = 256;
    static constexpr std::uint32_t kLargestLevel = 1u << 19;
    static constexpr std::size_t kBytes = std::size_t{2} * kLargestLevel * sizeof(Entry);  // committed on use

    // Returns the slot of the token. 0, which is no slot of a live token: the level has no such token. `level` may be
    // anything.
    [[gnu::always_inline]] static std::uint32_t find(const Entry* entries, std::uint32_t level, std::uint32_t token) {
        const std::uint32_t first = place(level, token);
        for (std::uint32_t i = 0; i < kBucket; ++i) {
            const std::uint64_t entry = entries[first ^ i].load(std::memory_order_relaxed);
            if (entry >> 32 == token) return static_cast<std::uint32_t>(entry);
        }
        return find_scattered(entries, level, token);
    }
    // Adds an entry. Returns false if the bucket is full.
    static bool add(Entry* entries, std::uint32_t level, std::uint32_t token, std::uint32_t slot);
    // Adds an entry for a token that is no random number. Returns false if both its buckets are full.
    static bool add_scattered(Entry* entries, std::uint32_t level, std::uint32_t token, std::uint32_t slot);
    static void drop(Entry* entries, std::uint32_t level, std::uint32_t token);

private:
    [[gnu::cold, gnu::noinline]] static std::uint32_t find_scattered(const Entry* entries, std::uint32_t level,
                                                                     std::uint32_t token);
    static bool put(Entry* entries, std::uint32_t first, std::uint64_t entry);
    static void clear(Entry* entries, std::uint32_t first, std::uint32_t token);
    // Returns the first entry of the token's bucket, inside the directory for any `level`: that may be a peer's number.
    static constexpr std::uint32_t place(std::uint32_t level, std::uint32_t token) {
        return (level + (token & (level - 1))) & (2 * kLargestLevel - 1);
    }
};

}  // namespace opennd::soft

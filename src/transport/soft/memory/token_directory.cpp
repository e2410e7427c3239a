// SPDX-License-Identifier: MIT
// Token directory: see token_directory.h.
#include "transport/soft/memory/token_directory.h"

#include <span>

namespace opennd::soft {
namespace {

// Spreads numbers whose differences are in some bits alone: each bit of the result depends on every bit (the finish of MurmurHash3).
constexpr std::uint32_t scattered(std::uint32_t token) {
    token = (token ^ token >> 16) * 0x85EBCA6B;
    token = (token ^ token >> 13) * 0xC2B2AE35;
    return token ^ token >> 16;
}

}  // namespace

bool TokenDirectory::put(Entry* entries, std::uint32_t first, std::uint64_t entry) {
    for (std::uint32_t i = 0; i < kBucket; ++i) {
        Entry& place = entries[first ^ i];
        if (place.load(std::memory_order_relaxed) != 0) continue;
        place.store(entry, std::memory_order_relaxed);
        return true;
    }
    return false;
}

bool TokenDirectory::add(Entry* entries, std::uint32_t level, std::uint32_t token, std::uint32_t slot) {
    return put(entries, place(level, token), std::uint64_t{token} << 32 | slot);
}

bool TokenDirectory::add_scattered(Entry* entries, std::uint32_t level, std::uint32_t token, std::uint32_t slot) {
    return put(entries, place(level, scattered(token)), std::uint64_t{token} << 32 | slot) ||
           add(entries, level, token, slot);
}

std::uint32_t TokenDirectory::find_scattered(const Entry* entries, std::uint32_t level, std::uint32_t token) {
    const std::uint32_t first = place(level, scattered(token));
    for (std::uint32_t i = 0; i < kBucket; ++i) {
        const std::uint64_t entry = entries[first ^ i].load(std::memory_order_relaxed);
        if (entry >> 32 == token) return static_cast<std::uint32_t>(entry);
    }
    return 0;
}

void TokenDirectory::clear(Entry* entries, std::uint32_t first, std::uint32_t token) {
    for (Entry& entry : std::span(entries + first / kBucket * kBucket, kBucket))
        if (entry.load(std::memory_order_relaxed) >> 32 == token) entry.store(0, std::memory_order_relaxed);
}

void TokenDirectory::drop(Entry* entries, std::uint32_t level, std::uint32_t token) {
    clear(entries, place(level, token), token);
    clear(entries, place(level, scattered(token)), token);
}

}  // namespace opennd::soft

// SPDX-License-Identifier: MIT
// Token directory: see token_directory.h.
#include "transport/soft/memory/token_directory.h"

#include <span>

namespace opennd::soft {

bool TokenDirectory::add(Entry* entries, std::uint32_t level, std::uint32_t token, std::uint32_t slot) {
    const std::uint32_t first = place(level, token);
    for (std::uint32_t i = 0; i < kBucket; ++i) {
        Entry& entry = entries[first ^ i];
        if (entry.load(std::memory_order_relaxed) != 0) continue;
        entry.store(std::uint64_t{token} << 32 | slot, std::memory_order_relaxed);
        return true;
    }
    return false;
}

void TokenDirectory::drop(Entry* entries, std::uint32_t level, std::uint32_t token) {
    for (Entry& entry : std::span(entries + place(level, token) / kBucket * kBucket, kBucket))
        if (entry.load(std::memory_order_relaxed) >> 32 == token) entry.store(0, std::memory_order_relaxed);
}

}  // namespace opennd::soft

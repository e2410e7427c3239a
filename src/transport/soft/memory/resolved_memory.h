// SPDX-License-Identifier: MIT
// Memory that a request names by tokens of pages, as the stretches where it lies, for one thread and one copy.
//
// Who ends a registration waits for its uses, and may hold a queue pair's lock meanwhile. So whoever has resolved memory
// drops it before it takes such a lock (again), and before it waits for anything.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/status.h"
#include "model/access.h"
#include "model/sge.h"
#include "transport/soft/memory/token_table.h"

namespace opennd::soft {

class ResolvedMemory {
public:
    ResolvedMemory() = default;
    ResolvedMemory(const ResolvedMemory&) = delete;
    ResolvedMemory& operator=(const ResolvedMemory&) = delete;

    // Puts the places of all entries into `sges`, where each entry that is not empty lies in live memory which grants one of
    // the rights `wanted` (none: reading, always granted). They have no tokens. access_violation otherwise, reported;
    // no_memory. Plain memory stays valid as check_local() has it, the rest until drop().
    Status resolve(const TokenTable& tokens, std::span<const Sge>& sges, Access wanted);

    // The same of memory that a peer names: false: the token is dead, or names no pages, or does not grant that.
    bool resolve_remote(const TokenTable& tokens, Token token, std::uint64_t from, std::uint32_t bytes, Access wanted,
                        std::span<const Sge>& places);

    // One place, of plain memory.
    std::span<const Sge> plain(std::uint64_t address, std::uint32_t bytes);

    // Nothing of it is used any more.
    void drop() {
        if (!uses_.empty()) uses_.clear();
    }

private:
    void add(const PagedMemory& memory, std::uint64_t from, std::uint64_t bytes);

    std::vector<PageUse> uses_;
    std::vector<Sge> places_;
    Sge plain_;
};

}  // namespace opennd::soft

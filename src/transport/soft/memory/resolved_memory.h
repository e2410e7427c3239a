// SPDX-License-Identifier: MIT
// Memory that a request names by tokens of pages, as stretches of addresses, for one thread and one copy.
//
// The end of a registration waits for uses of its memory, maybe under a queue pair's lock. So a thread with resolved memory
// drops it before it takes such a lock (again), and before each wait.
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

    // Puts the places of memory that a peer names into `places`. Returns false if the token is dead, names no pages, or
    // does not grant the access.
    bool resolve_remote(const TokenTable& tokens, Token token, std::uint64_t from, std::uint32_t bytes, Access wanted,
                        std::span<const Sge>& places);

    // Returns a list of one place, of plain memory.
    std::span<const Sge> plain(std::uint64_t address, std::uint32_t bytes);

    // Ends the use of all resolved memory.
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

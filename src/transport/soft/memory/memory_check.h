// SPDX-License-Identifier: MIT
// Checks of the memory a request names, made when it executes (ND2-QP-POST-10).
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "base/status.h"
#include "model/access.h"
#include "model/sge.h"
#include "transport/soft/memory/resolved_memory.h"
#include "transport/soft/memory/token_table.h"

namespace opennd::soft {

// Reports a refusal; access_violation.
[[gnu::cold]] Status refuse_local(const TokenTable& tokens, const Sge& sge, Access wanted);
// Reports the refusal of an entry with a token for `memory`, which does not grant it; access_violation.
[[gnu::cold]] Status refuse_paged(const PagedMemory& memory, const Sge& sge, Access wanted);

// Reports that granted memory was gone when this thread copied it just now (guarded_copy.h). `operation` is that of the
// request that met it.
[[gnu::cold]] Status refuse_absent(std::string_view operation);

// Returns true if the entry lies in live memory that grants one of the rights `wanted` (none: reading, always granted).
[[gnu::always_inline]] inline bool is_granted(const TokenTable& tokens, const Sge& sge, Access wanted) {
    return tokens.grants(sge.token, reinterpret_cast<std::uint64_t>(sge.buffer), sge.length, wanted);
}

// Returns true if every nonempty entry lies in live plain memory that grants one of the rights `wanted` (none: reading,
// always granted); it stays valid while the caller holds off the end of a grace period. If not, other memory may still
// be granted, see ResolvedMemory.
[[gnu::always_inline]] inline bool are_plain(const TokenTable& tokens, std::span<const Sge> sges, Access wanted) {
    for (const Sge& sge : sges)
        if (sge.length != 0 && !is_granted(tokens, sge, wanted)) return false;
    return true;
}

// Checks local memory. success: every nonempty entry lies in live memory that grants it, and `sges` lists memory that
// is valid as ResolvedMemory says. access_violation otherwise, reported; no_memory.
inline Status check_local(const TokenTable& tokens, std::span<const Sge>& sges, Access wanted, ResolvedMemory& memory) {
    return are_plain(tokens, sges, wanted) ? Status::success : memory.resolve(tokens, sges, wanted);
}

}  // namespace opennd::soft

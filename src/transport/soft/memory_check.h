// SPDX-License-Identifier: MIT
// Checks of the memory a request names, made when it executes (ND2-QP-POST-10).
#pragma once

#include <cstddef>
#include <span>

#include "base/status.h"
#include "model/access.h"
#include "model/sge.h"
#include "transport/soft/token_table.h"

namespace opennd::soft {

// Reports a refusal; access_violation.
[[gnu::cold]] Status refuse_local(const TokenTable& tokens, const Sge& sge, Access wanted);

// The entry lies in live memory that grants one of the rights `wanted` (none: reading, always granted).
[[gnu::always_inline]] inline bool is_granted(const TokenTable& tokens, const Sge& sge, Access wanted) {
    return tokens.grants(sge.token, reinterpret_cast<std::uint64_t>(sge.buffer), sge.length, wanted);
}

// success: every nonempty entry lies in live memory that grants one of the rights `wanted` (none: reading, always granted).
// access_violation otherwise, reported. The memory stays valid while the caller holds off the end of a grace period.
inline Status check_local(const TokenTable& tokens, std::span<const Sge> sges, Access wanted) {
    for (const Sge& sge : sges) {
        if (sge.length != 0 && !is_granted(tokens, sge, wanted)) return refuse_local(tokens, sge, wanted);
    }
    return Status::success;
}

}  // namespace opennd::soft

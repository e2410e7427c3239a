// SPDX-License-Identifier: MIT
// ND_SGE as core takes it.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "model/sge.h"
#include "model/token.h"
#include "ndspi.h"

namespace opennd {

// The handle of registered memory, which is its local token (registrations.h).
inline ND_MR_HANDLE to_handle(Token token) {
    return reinterpret_cast<ND_MR_HANDLE>(static_cast<std::uintptr_t>(value(token)));
}
// Whether a handle may name memory: it is not NULL, and has no more than 32 bits. (2^32 passes as well: its token is Token::none.)
inline bool names_memory(ND_MR_HANDLE handle) { return (reinterpret_cast<std::uintptr_t>(handle) - 1) >> 32 == 0; }
// Token::none for a value that is no handle: it names no memory either.
inline Token to_token(ND_MR_HANDLE handle) {
    return names_memory(handle) ? static_cast<Token>(reinterpret_cast<std::uintptr_t>(handle)) : Token::none;
}

// Length and token are written as one word: a reader that loads both at once would otherwise wait for two stores.
inline Sge to_sge(const ND_SGE& sge) {
    struct Words {
        std::byte* buffer;
        std::uint64_t length_and_token;
    };
    static_assert(sizeof(Words) == sizeof(Sge) && offsetof(Sge, length) == 8 && offsetof(Sge, token) == 12);
    const std::uint64_t token = value(to_token(sge.hMr));
    return std::bit_cast<Sge>(Words{static_cast<std::byte*>(sge.pAddr), sge.Length | token << 32});
}

using Nd1SgeList = SgeList<ND_SGE, to_sge, 16>;

struct Nd1SgeBytes {
    std::uint64_t total = 0;
    std::uint64_t without_handle = 0;  // inline

    void add(const ND_SGE& sge) {
        total += sge.Length;
        if (sge.hMr == nullptr) without_handle += sge.Length;
    }
};

// Fills `list` and sums up in one pass. `count` is at most Nd1SgeList::kMaxEntries. Lengths are compared at full width and summed
// so that nothing can wrap (ND1-GEN-11): a list with an entry above `max_bytes` has more than that in total, and is not to be used.
inline Nd1SgeBytes fill(Nd1SgeList& list, const ND_SGE* sges, SIZE_T count, std::uint64_t max_bytes) {
    Nd1SgeBytes bytes;
    for (SIZE_T i = 0; i < count; ++i) {
        if (sges[i].Length > max_bytes) [[unlikely]]
            return {max_bytes + 1, 0};
        bytes.add(sges[i]);
        list.put(i, sges[i]);
    }
    return bytes;
}

}  // namespace opennd

// SPDX-License-Identifier: MIT
// ND_SGE as core takes it.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "model/sge_list.h"
#include "ndspi.h"
#include "spi/nd1/call/memory_handle.h"

namespace opennd {

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

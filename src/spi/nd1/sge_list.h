// SPDX-License-Identifier: MIT
// A program's list of ND_SGEs as core takes it: on the stack, converted and summed up in one pass.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "model/sge.h"
#include "ndspi.h"
#include "spi/nd1/registrations.h"

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

class Nd1SgeList {
public:
    static constexpr std::uint32_t kMaxEntries = 16;  // the face reports no larger maximum (adapter_info.cpp)

    struct Bytes {
        std::uint64_t total = 0;
        std::uint64_t without_handle = 0;  // inline
    };

    Nd1SgeList() {}

    // `count` is at most kMaxEntries. Lengths are compared at full width and summed so that nothing can wrap
    // (ND1-GEN-11): a list with an entry above `max_bytes` has more than that in total, and is not to be used.
    Bytes assign(const ND_SGE* sges, SIZE_T count, std::uint64_t max_bytes) {
        Bytes bytes;
        if (count == 1) [[likely]] {  // without the loop
            put(0, sges[0], bytes);
            return bytes;
        }
        for (SIZE_T i = 0; i < count; ++i) {
            if (sges[i].Length > max_bytes) [[unlikely]]
                return {max_bytes + 1, 0};
            put(i, sges[i], bytes);
        }
        return bytes;
    }

    std::span<const Sge> entries(SIZE_T count) const { return {entries_, count}; }

private:
    void put(SIZE_T i, const ND_SGE& from, Bytes& bytes) {
        bytes.total += from.Length;
        if (from.hMr == nullptr) bytes.without_handle += from.Length;
        std::construct_at(&entries_[i], to_sge(from));
    }

    // A union, so that the entries not used are not initialised either.
    union {
        Sge entries_[kMaxEntries];
    };
};

}  // namespace opennd

// SPDX-License-Identifier: MIT
// One scatter/gather entry: local memory a request reads or fills.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "model/token.h"

namespace opennd {

struct Sge {
    std::byte* buffer = nullptr;
    std::uint32_t length = 0;   // bytes; an entry of length 0 is never validated (ND2-QP-POST-10)
    Token token = Token::none;  // local token; ignored for inline data
};

// Sum of the lengths in bytes; 64 bits, so that it cannot wrap.
constexpr std::uint64_t total_length(std::span<const Sge> sges) {
    if (sges.size() == 1) [[likely]]
        return sges[0].length;
    std::uint64_t total = 0;
    for (const Sge& sge : sges) total += sge.length;
    return total;
}

// The scatter/gather entries of one request, translated from a face's on the stack of the posting call.
// `Most`: a face reports no larger maximum, so that only inline requests may have more entries.
template <typename FaceSge, Sge (*translate)(const FaceSge&), std::uint32_t Most>
class SgeList {
public:
    static constexpr std::uint32_t kMaxEntries = Most;

    SgeList() {}  // empty: put() fills it
    // `count` is at most kMaxEntries.
    SgeList(const FaceSge* sges, std::uint32_t count) {
        if (count == 1) [[likely]]  // without the loop
            put(0, sges[0]);
        else
            for (std::uint32_t i = 0; i < count; ++i) put(i, sges[i]);
    }

    void put(std::uint32_t i, const FaceSge& sge) { std::construct_at(&entries_[i], translate(sge)); }

    // The first ones, which were put.
    std::span<const Sge> entries(std::size_t count) const { return {entries_, count}; }

private:
    // A union, so that the entries not used are not initialised either.
    union {
        Sge entries_[kMaxEntries];
    };
};

}  // namespace opennd

// SPDX-License-Identifier: MIT
// One scatter/gather entry: local memory a request reads or fills.
#pragma once

#include <cstddef>
#include <cstdint>
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

}  // namespace opennd

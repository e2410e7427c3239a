// SPDX-License-Identifier: MIT
// The sizes that a public structure has had. A later version of it only adds fields at its end, so that a program compiled against an
// older version has a prefix: it gets that prefix filled (decision 0038).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <functional>
#include <type_traits>

namespace opennd {

// `kBytes`: the size of each published version, the oldest first, today's last.
template <typename Info, std::size_t... kBytes>
class PublishedSizes {
    static constexpr std::array kAll{kBytes...};
    static_assert(std::is_trivially_copyable_v<Info>);
    static_assert(std::adjacent_find(kAll.begin(), kAll.end(), std::greater_equal<>{}) == kAll.end(),
                  "each version is longer than those before");
    static_assert(kAll.back() == sizeof(Info),
                  "a new field brings a new size: add it to the list behind the older ones");

public:
    // The longest published version that `room` bytes hold; 0: there is none.
    static constexpr std::size_t within(std::size_t room) {
        std::size_t longest = 0;
        for (const std::size_t bytes : kAll)
            if (bytes <= room) longest = bytes;
        return longest;
    }

    // Answers a query. Fills `to`, a buffer of `room` bytes, as far as the program's version goes, and sets `bytes` to that
    // size. False: the first version does not fit; nothing is filled, and `bytes` is today's size.
    template <typename Bytes>
    [[nodiscard]] static bool give(const Info& info, void* to, std::size_t room, Bytes& bytes) {
        const std::size_t filled = within(room);
        bytes = static_cast<Bytes>(filled == 0 ? sizeof(Info) : filled);
        if (filled != 0) std::memcpy(to, &info, filled);
        return filled != 0;
    }
};

}  // namespace opennd

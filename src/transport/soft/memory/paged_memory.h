// SPDX-License-Identifier: MIT
// Memory that a token names by a list of pages. It belongs to one process: peers cannot see it, and reach it by frames alone.
// Next: token_table.h, which keeps it beside the token; resolved_memory.h, which uses it.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "model/access.h"
#include "model/page_list.h"

namespace opennd::soft {

class PagedMemory {
public:
    // Throws std::bad_alloc.
    PagedMemory(const PageList& list, Access access, bool fast);

    std::uint64_t base() const { return base_; }
    std::uint64_t length() const { return length_; }
    Access access() const { return access_; }
    // Returns true for the memory of a fast registration: a Send may end it.
    bool fast() const { return fast_; }

    // Returns true if the range lies inside, as MemoryGrant::covers.
    bool covers(std::uint64_t from, std::uint64_t bytes) const {
        return from >= base_ && bytes <= length_ && from - base_ <= length_ - bytes;
    }
    // The memory that lies together from `from` on, of bytes that it covers: neighbouring pages count as one stretch.
    struct Stretch {
        std::uint64_t address;
        std::uint64_t bytes;
    };
    Stretch stretch(std::uint64_t from, std::uint64_t bytes) const;

    // Returns a part that it covers, for a window. Throws std::bad_alloc.
    PagedMemory part(std::uint64_t from, std::uint64_t bytes, Access access) const;

private:
    std::vector<std::uint64_t> pages_;
    std::uint64_t base_;
    std::uint64_t length_;
    std::uint32_t first_byte_;
    Access access_;
    bool fast_;
};

}  // namespace opennd::soft

// SPDX-License-Identifier: MIT
// PagedMemory: see paged_memory.h.
#include "transport/soft/memory/paged_memory.h"

#include <algorithm>

namespace opennd::soft {

PagedMemory::PagedMemory(const PageList& list, Access access, bool fast)
    : pages_(list.pages.begin(), list.pages.end()),
      base_(list.base),
      length_(list.length),
      first_byte_(list.first_byte),
      access_(access),
      fast_(fast) {}

PagedMemory::Stretch PagedMemory::stretch(std::uint64_t from, std::uint64_t bytes) const {
    const std::uint64_t place = first_byte_ + (from - base_);
    std::size_t page = place / kPageBytes;
    const std::uint64_t in_page = place % kPageBytes;
    const std::uint64_t address = pages_[page] + in_page;
    std::uint64_t together = kPageBytes - in_page;
    while (together < bytes && pages_[page + 1] == pages_[page] + kPageBytes) {
        together += kPageBytes;
        ++page;
    }
    return {address, std::min(together, bytes)};
}

PagedMemory PagedMemory::part(std::uint64_t from, std::uint64_t bytes, Access access) const {
    const std::uint64_t place = first_byte_ + (from - base_);
    const std::size_t first = place / kPageBytes, last = (place + bytes - 1) / kPageBytes;
    return {{.pages = std::span(pages_).subspan(first, last - first + 1),
             .first_byte = static_cast<std::uint32_t>(place % kPageBytes),
             .base = from,
             .length = bytes},
            access,
            false};
}

}  // namespace opennd::soft

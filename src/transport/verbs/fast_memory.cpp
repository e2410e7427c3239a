// SPDX-License-Identifier: MIT
// See fast_memory.h.
#include "transport/verbs/fast_memory.h"

namespace opennd::verbs {

FastMemory::FastMemory(const PageList& pages, Access access)
    : base_(pages.base),
      bytes_(pages.length),
      writable_(any_of(access, Access::local_write | Access::remote_write | Access::read_sink)) {
    std::uint64_t first = 0;
    std::uint64_t next = 0;  // the address behind the page before
    for (const std::uint64_t page : pages.pages) {
        if (first >= bytes_) break;  // pages that are left over
        if (runs_.empty())
            runs_.push_back({0, page + pages.first_byte});
        else if (page != next)
            runs_.push_back({first, page});
        first += kPageBytes - (first == 0 ? pages.first_byte : 0);
        next = page + kPageBytes;
    }
}

bool FastMemory::grants(const Sge& entry, bool writes) const {
    const auto address = reinterpret_cast<std::uint64_t>(entry.buffer);
    return address >= base_ && entry.length <= bytes_ && address - base_ <= bytes_ - entry.length &&
           (writable_ || !writes);
}

// The last one that begins there or before.
std::size_t FastMemory::run_of(std::uint64_t first) const {
    const auto behind = std::upper_bound(runs_.begin(), runs_.end(), first,
                                         [](std::uint64_t at, const Run& run) { return at < run.first; });
    return static_cast<std::size_t>(behind - runs_.begin()) - 1;
}

}  // namespace opennd::verbs

// SPDX-License-Identifier: MIT
// The memory that one fast registration names: bytes of pages, by numbers that are no addresses (model/page_list.h). Neighbouring pages
// are one run.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/ref.h"
#include "model/access.h"
#include "model/page_list.h"
#include "model/sge.h"

namespace opennd::verbs {

class FastMemory final : public RefCounted {
public:
    // Throws std::bad_alloc.
    FastMemory(const PageList& pages, Access access);

    // `entry` lies inside, and may be written if `writes`.
    bool grants(const Sge& entry, bool writes) const;
    // Calls `take` with the bytes of `entry`, which lies inside, by their addresses: once for each run, in order. It may say false,
    // which ends the walk.
    template <typename Take>
    void walk(const Sge& entry, Take&& take) const;

private:
    struct Run {
        std::uint64_t first;    // the number of its first byte, counted from base_
        std::uint64_t address;  // of that byte
    };
    std::size_t run_of(std::uint64_t first) const;

    const std::uint64_t base_, bytes_;
    const bool writable_;
    std::vector<Run> runs_;  // in order, one or more
};

template <typename Take>
void FastMemory::walk(const Sge& entry, Take&& take) const {
    std::uint64_t first = reinterpret_cast<std::uint64_t>(entry.buffer) - base_;
    const std::uint64_t end = first + entry.length;
    for (std::size_t run = run_of(first); first != end; ++run) {
        const std::uint64_t run_end = run + 1 < runs_.size() ? runs_[run + 1].first : bytes_;
        const std::uint64_t bytes = std::min(run_end, end) - first;
        auto* const address = reinterpret_cast<std::byte*>(runs_[run].address + (first - runs_[run].first));
        if (!take(address, static_cast<std::uint32_t>(bytes))) return;
        first += bytes;
    }
}

}  // namespace opennd::verbs

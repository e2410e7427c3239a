// SPDX-License-Identifier: MIT
// See filled_memory.h.
#include "check/transport/filled_memory.h"

#include <algorithm>

namespace opennd {
namespace {

FilledMemory::Range range_of(std::uint64_t request, Operation operation, const Sge& sge) {
    const auto start = reinterpret_cast<std::uintptr_t>(sge.buffer);
    return {start, start + sge.length, request, operation};
}

}  // namespace

void FilledMemory::add(std::uint64_t request, Operation operation, std::span<const Sge> sges) {
    const Held lock(mutex_);
    for (const Sge& sge : sges) {
        if (sge.length == 0) continue;
        ranges_.insert(range_of(request, operation, sge));
        longest_ = std::max<std::uintptr_t>(longest_, sge.length);
    }
}

void FilledMemory::remove(std::uint64_t request, Operation operation, std::span<const Sge> sges) {
    const Held lock(mutex_);
    for (const Sge& sge : sges) ranges_.erase(range_of(request, operation, sge));
}

std::optional<FilledMemory::Range> FilledMemory::find(const Sge& sge) const {
    const Range wanted = range_of(0, Operation::receive, sge);
    const Held lock(mutex_);
    const std::uintptr_t first = wanted.start - std::min(wanted.start, longest_);
    for (auto each = ranges_.lower_bound({first, 0, 0, {}}); each != ranges_.end() && each->start < wanted.end; ++each)
        if (each->end > wanted.start) return *each;
    return std::nullopt;
}

}  // namespace opennd

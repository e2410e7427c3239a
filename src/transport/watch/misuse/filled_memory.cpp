// SPDX-License-Identifier: MIT
// See filled_memory.h.
#include "transport/watch/misuse/filled_memory.h"

#include <algorithm>

namespace opennd::watch {
namespace {

FilledMemory::Range range_of(std::uint64_t request, Operation operation, const Sge& sge) {
    const auto start = reinterpret_cast<std::uintptr_t>(sge.buffer);
    return {start, start + sge.length, request, operation};
}

}  // namespace

std::uint64_t FilledMemory::add(Operation operation, std::span<const Sge> sges) {
    const Held lock(mutex_);
    const std::uint64_t request = ++newest_;
    try {
        for (const Sge& sge : sges) {
            if (sge.length == 0) continue;
            ranges_.insert(range_of(request, operation, sge));
            longest_ = std::max<std::uintptr_t>(longest_, sge.length);
        }
    } catch (...) {
        erase(request, operation, sges);
        throw;
    }
    return request;
}

void FilledMemory::remove(std::uint64_t request, Operation operation, std::span<const Sge> sges) noexcept {
    const Held lock(mutex_);
    erase(request, operation, sges);
}

void FilledMemory::erase(std::uint64_t request, Operation operation, std::span<const Sge> sges) noexcept {
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

}  // namespace opennd::watch

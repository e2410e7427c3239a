// SPDX-License-Identifier: MIT
// See region_map.h.
#include "transport/verbs/region_map.h"

namespace opennd::verbs {

void RegionMap::add(Token local, const Region& region) {
    const Held lock(mutex_);
    regions_[value(local)] = region;
}

void RegionMap::remove(Token local) {
    const Held lock(mutex_);
    regions_.erase(value(local));
}

Status RegionMap::blame(Operation operation, std::span<const Sge> entries) const {
    const bool writes = operation == Operation::receive || operation == Operation::read;
    const Held lock(mutex_);
    for (const Sge& entry : entries) {
        const auto found = regions_.find(value(entry.token));
        if (found == regions_.end()) return Status::access_violation;
        const Region& region = found->second;
        const auto start = reinterpret_cast<std::uint64_t>(entry.buffer);
        if (start < region.address || entry.length > region.bytes ||
            start - region.address > region.bytes - entry.length)
            return Status::access_violation;
        if (writes && !region.writable) return Status::access_violation;
    }
    return operation == Operation::receive ? Status::receive_too_small : Status::internal_error;
}

}  // namespace opennd::verbs

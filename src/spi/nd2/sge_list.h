// SPDX-License-Identifier: MIT
// The scatter/gather entries of one request, translated on the stack of the posting call.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "model/sge.h"
#include "ndspi.h"

namespace opennd {

inline Sge to_sge(const ND2_SGE& sge) {
    return {static_cast<std::byte*>(sge.Buffer), sge.BufferLength, static_cast<Token>(sge.MemoryRegionToken)};
}

class SgeList {
public:
    // The face reports no larger maximum (adapter.cpp), so that only inline requests may have more entries.
    static constexpr ULONG kMaxEntries = 16;

    // `count` is at most kMaxEntries.
    SgeList(const ND2_SGE sges[], ULONG count) : count_(count) {
        for (ULONG i = 0; i < count; ++i) std::construct_at(&entries_[i], to_sge(sges[i]));
    }

    std::span<const Sge> entries() const { return {entries_, count_}; }

private:
    // A union, so that the entries not used are not initialised either.
    union {
        Sge entries_[kMaxEntries];
    };
    std::size_t count_;
};

}  // namespace opennd

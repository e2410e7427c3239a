// SPDX-License-Identifier: MIT
// The scatter/gather entries of one request, translated on the stack of the posting call.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "model/sge.h"
#include "ndk/call/token.h"
#include "ndkpi.h"

namespace opennd {

// A logical address is an address of this process (NDK-LAM-05), so that both members of the union mean the same here.
inline Sge to_sge(const NDK_SGE& sge) {
    return {static_cast<std::byte*>(sge.VirtualAddress), sge.Length, from_ndk_token(sge.MemoryRegionToken)};
}

class NdkSgeList {
public:
    // The face reports no larger maximum (adapter_info.cpp), so that only inline requests may have more entries.
    static constexpr ULONG kMaxEntries = 32;

    // `count` is at most kMaxEntries.
    NdkSgeList(const NDK_SGE sges[], ULONG count) : count_(count) {
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

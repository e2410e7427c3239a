// SPDX-License-Identifier: MIT
// A program's list of ND_SGEs as core takes it: on the stack, converted and summed up in one pass.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "model/sge.h"
#include "ndspi.h"
#include "spi/nd1/registrations.h"

namespace opennd {

class Nd1SgeList {
public:
    static constexpr std::uint32_t kMaxEntries = 16;  // the face reports no larger maximum (adapter_info.cpp)

    // `count` is at most kMaxEntries. Lengths are compared at full width and summed so that nothing can wrap
    // (ND1-GEN-11): a list with an entry above `max_bytes` has more than that in total, and is not to be used.
    Nd1SgeList(const ND_SGE* sges, SIZE_T count, std::uint64_t max_bytes) : count_(count) {
        for (SIZE_T i = 0; i < count; ++i) {
            const ND_SGE& from = sges[i];
            if (from.Length > max_bytes) [[unlikely]] {
                total_ = max_bytes + 1;
                return;
            }
            total_ += from.Length;
            if (from.hMr == nullptr) inline_bytes_ += from.Length;
            std::construct_at(&entries_[i], Sge{static_cast<std::byte*>(from.pAddr),
                                                static_cast<std::uint32_t>(from.Length), to_token(from.hMr)});
        }
    }

    std::span<const Sge> entries() const { return {entries_, count_}; }
    std::uint64_t total_bytes() const { return total_; }
    std::uint64_t inline_bytes() const { return inline_bytes_; }  // of entries without a registration

private:
    // A union, so that the entries not used are not initialised either.
    union {
        Sge entries_[kMaxEntries];
    };
    const SIZE_T count_;
    std::uint64_t total_ = 0;
    std::uint64_t inline_bytes_ = 0;
};

}  // namespace opennd

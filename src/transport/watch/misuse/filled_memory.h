// SPDX-License-Identifier: MIT
// The memory that outstanding Receives and Reads of this process fill.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <span>

#include "base/lock.h"
#include "model/sge.h"
#include "model/work_request.h"

namespace opennd::watch {

// Any thread.
class FilledMemory {
public:
    struct Range {
        std::uintptr_t start;
        std::uintptr_t end;  // first byte behind
        std::uint64_t request;
        Operation operation;
        auto operator<=>(const Range&) const = default;
    };

    // Answers the number of the request, for remove(). Throws std::bad_alloc; nothing has changed then.
    std::uint64_t add(Operation operation, std::span<const Sge> sges) EXCLUDES(mutex_);
    void remove(std::uint64_t request, Operation operation, std::span<const Sge> sges) noexcept EXCLUDES(mutex_);
    // Finds a range that a byte of `sge` is in; nothing: none is.
    std::optional<Range> find(const Sge& sge) const EXCLUDES(mutex_);

private:
    void erase(std::uint64_t request, Operation operation, std::span<const Sge> sges) noexcept REQUIRES(mutex_);

    mutable Mutex mutex_;  // nothing is called under it
    std::set<Range> ranges_ GUARDED_BY(mutex_);
    std::uintptr_t longest_ GUARDED_BY(mutex_) = 0;  // of all so far
    std::uint64_t newest_ GUARDED_BY(mutex_) = 0;    // request
};

}  // namespace opennd::watch

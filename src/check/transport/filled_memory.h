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

namespace opennd {

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

    // Throws std::bad_alloc, and nothing has changed for entries not added yet; remove() takes the others.
    void add(std::uint64_t request, Operation operation, std::span<const Sge> sges) EXCLUDES(mutex_);
    void remove(std::uint64_t request, Operation operation, std::span<const Sge> sges) EXCLUDES(mutex_);
    // A range that has a byte of `sge`; nothing: none has.
    std::optional<Range> find(const Sge& sge) const EXCLUDES(mutex_);

private:
    mutable Mutex mutex_;  // nothing is called under it
    std::set<Range> ranges_ GUARDED_BY(mutex_);
    std::uintptr_t longest_ GUARDED_BY(mutex_) = 0;  // of all so far
};

}  // namespace opennd

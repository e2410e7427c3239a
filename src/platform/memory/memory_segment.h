// SPDX-License-Identifier: MIT
// One memfd segment cut into allocations of whole pages: which pages are free, which belong together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>

#include "platform/memory/shared_memory.h"

namespace opennd {

// Not thread-safe; part of MappableMemory. Offsets and sizes are bytes, multiples of page_size().
class MemorySegment {
public:
    static std::size_t page_size();

    // Owns `memory`: zeroed, and a multiple of the page size long.
    explicit MemorySegment(SharedMemory memory);

    // First fit; the offset, or nothing if no free range is long enough. Throws std::bad_alloc, and has changed nothing
    // then.
    std::optional<std::uint64_t> allocate(std::size_t bytes);

    // Frees the allocation that starts at `offset` and gives its pages back: they read as zero again. False if there is
    // none.
    bool free(std::uint64_t offset);

    // True if the range lies inside one live allocation.
    bool holds(std::uint64_t offset, std::size_t bytes) const;

    bool empty() const { return live_.empty(); }
    const SharedMemory& memory() const { return memory_; }

private:
    using Ranges = std::map<std::uint64_t, std::uint64_t>;  // offset -> bytes

    void add_free_range(Ranges::node_type range);

    SharedMemory memory_;
    Ranges free_;  // they never touch each other
    Ranges live_;
};

}  // namespace opennd

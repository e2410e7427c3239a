// SPDX-License-Identifier: MIT
// The allocator behind opennd_memory_allocate: memory in memfd segments that peers on this host can map, so that
// placing data there is a plain store. Read shared_memory.h first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>

#include "base/lock.h"
#include "base/ref.h"
#include "base/result.h"
#include "platform/memory/shared_memory.h"

namespace opennd {

// One memfd segment cut into allocations of whole pages: which pages are free, which belong together. Not thread-safe; part of MappableMemory. Offsets and sizes are bytes, multiples of page_size().
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

    // Returns true if the range lies inside one live allocation.
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

// Thread-safe; one per process, made by library/. Requests up to kSegmentBytes share sparse segments of that size,
// first fit; larger ones get a segment of their own. A process with a segment's descriptor can map all of the segment.
class MappableMemory : public RefCounted {
public:
    static constexpr std::size_t kSegmentBytes = std::size_t{1} << 30;

    struct Location {
        std::uint32_t segment;  // never reused in this process, never 0
        std::uint64_t offset;   // bytes from the segment's start
    };

    // Zeroed, page-aligned, in whole pages; committed on first touch. Every call's memory is contiguous in one segment.
    //   invalid_length          bytes is 0
    //   no_memory               no address space or memory, or an absurd size
    //   insufficient_resources  no descriptor left for a new segment
    //   not_supported           the kernel or its sandbox forbids memfd_create
    Result<void*> allocate(std::size_t bytes);

    // Returns the pages to the kernel. nullptr does nothing. A segment that becomes empty is unmapped, one is kept.
    //   invalid_parameter  not the start of a live allocation
    Status free(void* memory);

    // Where the range lies, if all of it is inside one live allocation.
    std::optional<Location> locate(const void* address, std::size_t bytes) const;

    // A descriptor of the caller's own, to be passed to a peer.
    //   invalid_parameter       no such segment (any more)
    //   insufficient_resources  no descriptor left
    Result<Descriptor> segment_descriptor(std::uint32_t segment) const;

private:
    using Segments = std::map<std::uint32_t, MemorySegment>;  // by id

    std::uint32_t segment_id_of(const void* address) const REQUIRES(mutex_);
    void drop_if_superfluous(Segments::iterator segment) REQUIRES(mutex_);

    mutable Mutex mutex_;
    std::uint32_t last_id_ GUARDED_BY(mutex_) = 0;
    Segments segments_ GUARDED_BY(mutex_);
    std::map<std::uintptr_t, std::uint32_t> ids_by_address_ GUARDED_BY(mutex_);  // start address -> id
};

}  // namespace opennd

// SPDX-License-Identifier: MIT
// The allocator behind opennd_memory_allocate: memory in memfd segments that peers on this host can map, so that
// placing data there is a plain store. Read shared_memory.h first, then memory_segment.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>

#include "base/lock.h"
#include "base/ref.h"
#include "base/result.h"
#include "platform/memory/memory_segment.h"

namespace opennd {

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

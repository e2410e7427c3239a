// SPDX-License-Identifier: MIT
// Choosing the segment; see mappable_memory.h.
#include "platform/memory/mappable_memory.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <new>
#include <utility>

#include "base/explanation.h"
#include "base/log.h"
#include "platform/process/errno_status.h"

namespace opennd {
namespace {

// 0 if no such number of whole pages exists.
std::size_t whole_pages(std::size_t bytes) {
    const std::size_t mask = MemorySegment::page_size() - 1;
    return bytes > ~mask ? 0 : (bytes + mask) & ~mask;
}

// Pages go back as holes, which read as zero.
void give_pages_back(const SharedMemory& memory, std::size_t offset, std::size_t bytes) {
    if (memory.give_back(offset, bytes)) return;
    log(LogLevel::warn, "mappable memory: {} bytes cannot be returned to the kernel: {}; they are zeroed instead",
        bytes, std::strerror(errno));
    std::memset(memory.data() + offset, 0, bytes);
}

}  // namespace

Result<void*> MappableMemory::allocate(std::size_t bytes) {
    const std::size_t rounded = whole_pages(bytes);
    if (rounded == 0)
        return explain(bytes == 0 ? Status::invalid_length : Status::no_memory,
                       {.object = "mappable memory",
                        .operation = "opennd_memory_allocate",
                        .asked = phrase("{} bytes", bytes),
                        .limit = "1 byte to the size of the address space",
                        .remedy = "ask for as much as is needed",
                        .requirement = "ND2-GEN-02"});
    const Held held(mutex_);
    for (auto& [id, segment] : segments_) {
        if (const auto offset = segment.allocate(rounded)) return static_cast<void*>(segment.memory().data() + *offset);
    }
    Result<SharedMemory> memory = SharedMemory::create("opennd-memory", std::max(rounded, kSegmentBytes),
                                                       SharedMemory::Peers::read_write, SharedMemory::InChild::same);
    // A size above any file's limit counts as lack of memory.
    if (!memory.ok()) return memory.status() == Status::invalid_length ? Status::no_memory : memory.status();
    MemorySegment segment(memory.take());
    std::byte* const start = segment.memory().data();
    std::byte* const place = start + segment.allocate(rounded).value();
    const std::uint32_t id = ++last_id_;
    const auto known = ids_by_address_.emplace(reinterpret_cast<std::uintptr_t>(start), id).first;
    try {
        segments_.emplace(id, std::move(segment));
    } catch (const std::bad_alloc&) {
        ids_by_address_.erase(known);
        throw;
    }
    return static_cast<void*>(place);
}

Status MappableMemory::free(void* memory) {
    if (!memory) return Status::success;
    const Held held(mutex_);
    const auto segment = segments_.find(segment_id_of(memory));
    if (segment == segments_.end()) return Status::invalid_parameter;
    const std::ptrdiff_t offset = static_cast<std::byte*>(memory) - segment->second.memory().data();
    if (!segment->second.free(static_cast<std::uint64_t>(offset))) return Status::invalid_parameter;
    if (segment->second.empty()) drop_if_superfluous(segment);
    return Status::success;
}

// Keeps one empty segment of the common size, so that a program that allocates and frees in turn maps once.
void MappableMemory::drop_if_superfluous(Segments::iterator segment) {
    const bool common = segment->second.memory().size() == kSegmentBytes;
    const auto empty = std::count_if(segments_.begin(), segments_.end(), [](const auto& entry) {
        return entry.second.empty() && entry.second.memory().size() == kSegmentBytes;
    });
    if (common && empty == 1) return;
    ids_by_address_.erase(reinterpret_cast<std::uintptr_t>(segment->second.memory().data()));
    segments_.erase(segment);
}

// 0 if the address is in no segment.
std::uint32_t MappableMemory::segment_id_of(const void* address) const {
    const auto wanted = reinterpret_cast<std::uintptr_t>(address);
    const auto next = ids_by_address_.upper_bound(wanted);
    if (next == ids_by_address_.begin()) return 0;
    const auto [start, id] = *std::prev(next);
    return wanted - start < segments_.at(id).memory().size() ? id : 0;
}

std::optional<MappableMemory::Location> MappableMemory::locate(const void* address, std::size_t bytes) const {
    const Held held(mutex_);
    const auto segment = segments_.find(segment_id_of(address));
    if (segment == segments_.end()) return std::nullopt;
    const auto offset =
        static_cast<std::uint64_t>(static_cast<const std::byte*>(address) - segment->second.memory().data());
    if (!segment->second.holds(offset, bytes)) return std::nullopt;
    return Location{segment->first, offset};
}

Result<Descriptor> MappableMemory::segment_descriptor(std::uint32_t segment) const {
    const Held held(mutex_);
    const auto found = segments_.find(segment);
    if (found == segments_.end()) return Status::invalid_parameter;
    Descriptor copy = Descriptor::copy_of(found->second.memory().descriptor());
    if (!copy) return resource_status(errno);
    return copy;
}

std::size_t MemorySegment::page_size() { return static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)); }

MemorySegment::MemorySegment(SharedMemory memory) : memory_(std::move(memory)) { free_.emplace(0, memory_.size()); }

std::optional<std::uint64_t> MemorySegment::allocate(std::size_t bytes) {
    for (auto range = free_.begin(); range != free_.end(); ++range) {
        const auto [offset, length] = *range;
        if (length < bytes) continue;
        // The insertion that can throw comes first; then the range's own entry moves to the other map.
        if (length > bytes) free_.emplace(offset + bytes, length - bytes);
        auto entry = free_.extract(range);
        entry.mapped() = bytes;
        live_.insert(std::move(entry));
        return offset;
    }
    return std::nullopt;
}

bool MemorySegment::free(std::uint64_t offset) {
    auto entry = live_.extract(offset);
    if (!entry) return false;
    give_pages_back(memory_, offset, entry.mapped());
    add_free_range(std::move(entry));
    return true;
}

// Joins the range with its free neighbours. Needs no memory: giving back never fails.
void MemorySegment::add_free_range(Ranges::node_type range) {
    auto after = free_.lower_bound(range.key());
    if (after != free_.end() && after->first == range.key() + range.mapped()) {
        range.mapped() += after->second;
        after = free_.erase(after);
    }
    if (after != free_.begin()) {
        const auto before = std::prev(after);
        if (before->first + before->second == range.key()) {
            before->second += range.mapped();
            return;
        }
    }
    free_.insert(std::move(range));
}

bool MemorySegment::holds(std::uint64_t offset, std::size_t bytes) const {
    auto next = live_.upper_bound(offset);
    if (next == live_.begin()) return false;
    const auto& [start, length] = *std::prev(next);
    const std::uint64_t inside = offset - start;
    return inside < length && bytes <= length - inside;
}

}  // namespace opennd
